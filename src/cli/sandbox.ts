import type { Translator } from '../messages/index.ts';

/** Serves the sandbox until it is stopped. */
export async function runSandbox(port: number | undefined, translator: Translator): Promise<void> {
  const { startSandbox } = await import('../sandbox/index.ts');
  const sandbox = await startSandbox({ port: port ?? 0 }).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    console.error(translator.say('sandbox.no_port', { port: port ?? 0, code }));
    process.exitCode = 1;
  });
  if (sandbox === undefined) return;
  const { url, credentials, account, companies } = sandbox;
  const environment = {
    DFE_URL: url,
    DFE_USER: credentials.user,
    DFE_PASSWORD: credentials.password,
    DFE_CNPJ: companies[0]?.id ?? '',
    DFE_ACCOUNT_URL: url,
    DFE_ACCOUNT_API_KEY: account.apiKey,
  };
  process.stdout.write(
    [
      translator.say('sandbox.running', { url }),
      ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      '',
      translator.say('sandbox.companies'),
      ...companies.map(({ id, name }) => `  ${id}  ${name}`),
      '',
    ].join('\n'),
  );
  const stop = (): void => {
    sandbox.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
}
