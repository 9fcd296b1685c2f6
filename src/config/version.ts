import manifest from '../../package.json' with { type: 'json' };

export const version: string = manifest.version;

/** How the services see the program. */
export const userAgent = `docfiscal-mcp/${version}`;
