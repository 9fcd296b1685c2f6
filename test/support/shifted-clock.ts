import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const script = `
const shift = Number(process.env.TEST_CLOCK_SHIFT_MS);
const RealDate = Date;
const now = () => RealDate.now() + shift;
globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(now());
    else super(...parts);
  }
  static now() {
    return now();
  }
};
`;

/** Environment that makes a process believe it is so many minutes later. */
export function laterBy(minutes: number, folder: string): Record<string, string> {
  const path = join(folder, 'shifted-clock.cjs');
  writeFileSync(path, script);
  return { NODE_OPTIONS: `--require ${path}`, TEST_CLOCK_SHIFT_MS: String(minutes * 60_000) };
}
