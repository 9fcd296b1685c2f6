import type { ConfigurationProblem } from '../config/configure.ts';
import type { MessageKey, Translator } from '../messages/index.ts';

/** One mistake in the configuration, in words, with the nearest known name or what the value should be. */
export function describeProblem(problem: ConfigurationProblem, translator: Translator): string {
  const words = translator.tell(problem.key, problem.values);
  if ('expected' in problem) {
    const key = `config.expected.${problem.expected.kind}` as MessageKey;
    return `${words}: ${translator.tell(key, problem.expected.values)}`;
  }
  if ('nearest' in problem && problem.nearest !== undefined) {
    return `${words}; ${translator.say('config.nearest', { name: problem.nearest })}`;
  }
  return words;
}
