/** An answer of JSON-RPC. */
export interface Answer {
  readonly result?: { readonly structuredContent?: unknown };
  readonly error?: { readonly message: string };
}

export interface Spoken {
  ask(request: { readonly method: string; readonly params?: unknown }): Promise<Answer>;
  tell(message: string): Promise<unknown>;
  notify(method: string): void;
  readonly pid: number | undefined;
  cpu(): number | undefined;
  end(): Promise<void>;
}

export declare const initialize: { readonly method: string; readonly params: object };
export declare function speakTo(args: readonly string[], env?: object, channel?: 'ipc'): Spoken;
