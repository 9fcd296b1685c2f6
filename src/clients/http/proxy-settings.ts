/** Which proxies to use; empty text for none. */
export interface ProxySettings {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/**
 * The proxies an environment names, or undefined where it names none. Lower-case names go before upper-case ones, as
 * in curl; an address without a scheme is an http proxy. The documents service is plain http, which goes directly when
 * only `HTTPS_PROXY` is set.
 *
 * @throws TypeError with the code `PROXY_ADDRESS`, naming the variable whose address can't be read; the address may
 *   hold a password and is not shown.
 */
export function readProxySettings(env: NodeJS.ProcessEnv): ProxySettings | undefined {
  const httpProxy = readProxy(env, 'HTTP_PROXY');
  const httpsProxy = readProxy(env, 'HTTPS_PROXY');
  if (!httpProxy && !httpsProxy) return undefined;
  return { httpProxy, httpsProxy, noProxy: readVariable(env, 'NO_PROXY') };
}

function readProxy(env: NodeJS.ProcessEnv, name: string): string {
  const value = readVariable(env, name);
  if (!value) return '';
  const address = value.includes('://') ? value : `http://${value}`;
  if (/^https?:/i.test(address) && URL.canParse(address)) return address;
  const problem = new TypeError(`${name} is not the address of an HTTP proxy (expected http://host:port)`);
  throw Object.assign(problem, { code: 'PROXY_ADDRESS' });
}

function readVariable(env: NodeJS.ProcessEnv, name: string): string {
  return (env[name.toLowerCase()] ?? env[name] ?? '').trim();
}
