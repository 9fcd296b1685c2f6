import * as z from 'zod';
import type { Message } from '../messages/message.ts';

/** What is known of a setting besides its schema. */
export interface SettingInfo {
  /** Its environment variable; where it is not a secret, its flag has the same name: `DFE_READ_ONLY`, `--read-only`. */
  readonly variable: `DFE_${string}`;
  readonly secret: boolean;
  readonly help: Message;
  /** How the default reads in help and README, where the value itself would not tell. */
  readonly defaultText?: Message;
  /** The value as text, where it is more than a word, a number or a list of words. */
  show?(value: unknown): string;
}

/** What has been declared of each setting's schema. */
export const settingInfo = z.registry<SettingInfo>();

/** Declares a setting: its schema, and what help, README and `doctor` say of it. */
export function setting<S extends z.ZodType>(
  schema: S,
  info: Omit<SettingInfo, 'secret' | 'show'> & { secret?: true; show?: (value: z.output<S>) => string },
): S {
  settingInfo.add(schema, { secret: false, ...info } as SettingInfo);
  return schema;
}
