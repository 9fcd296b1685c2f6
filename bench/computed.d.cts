/** Milliseconds that the main thread has computed; what the clock says where the system does not tell. */
export function computed(): number;
