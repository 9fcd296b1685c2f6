import { describe, expect, it } from 'vitest';
import { readProxySettings } from '../../../src/clients/http/transport.ts';

describe('proxies of the environment', () => {
  it('none', () => {
    expect(readProxySettings({})).toBeUndefined();
    expect(readProxySettings({ HTTP_PROXY: ' ', NO_PROXY: 'a' })).toBeUndefined();
  });

  it('lower case goes before upper case, and an address may lack the scheme', () => {
    expect(
      readProxySettings({
        HTTP_PROXY: 'http://upper:1',
        http_proxy: 'lower:2',
        https_proxy: 'https://secure:3',
        no_proxy: 'a,b',
      }),
    ).toEqual({ httpProxy: 'http://lower:2', httpsProxy: 'https://secure:3', noProxy: 'a,b' });
  });

  it.each(['socks5://h:1', 'http://:', 'http://u:secret@:1'])('refuses %s without showing it', (address) => {
    const read = () => readProxySettings({ HTTPS_PROXY: address });
    expect(read).toThrow('HTTPS_PROXY');
    expect(read).not.toThrow(address);
  });
});
