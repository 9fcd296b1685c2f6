import { config } from 'zod';

// Compiling a check for every schema pays after thousands of calls; here it would only delay the start. Settings are the
// first that is loaded, so that it holds for the schemas of the SDK, too.
config({ jitless: true });
