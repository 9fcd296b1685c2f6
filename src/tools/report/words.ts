import type { CallContext } from '../../company/call-context.ts';
import { reportMessages } from '../../messages/apart/report.ts';
import { type Words, wordsOf } from '../../messages/message.ts';
import { createVoice, type Voice } from '../pages/voice.ts';

/** What a report is written with: the voice of pages and words of its own. */
export interface ReportVoice extends Voice {
  readonly report: Words<typeof reportMessages>;
}

/** The voice of a report in the language of the call. */
export function createReportVoice(context: CallContext): ReportVoice {
  const voice = createVoice(context.translator, context);
  return { ...voice, report: wordsOf(reportMessages, voice.language) };
}
