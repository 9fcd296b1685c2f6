/** The SDK's module that makes the schemas of both eras, with each of them made when it is asked for. */
export function schemasInTheirTime(source: string): string;
