import { dayInZone } from '../../documents/days.ts';
import { cancellationEvents } from '../../documents/events/statuses.ts';
import { maskTaxId } from '../../documents/identity/tax-ids.ts';
import { judge, rules } from '../../documents/rules/index.ts';
import { createRuleTeller, languages } from '../../messages/index.ts';
import type { Check, DocumentActions, Text } from '../../views/page.ts';
import { warningTexts } from '../shared/summary-output.ts';
import { eventsOf, type Looked, momentText, openDeadline, type Verified } from './document-facts.ts';
import type { Voice } from './voice.ts';

/** Findings of the rules about one document, warnings, and what corrections say. */
function toCheck(looked: Looked): Check {
  const {
    document: { summary, status },
    speak,
    context,
  } = looked;
  const tellers = new Map(languages.map((language) => [language, createRuleTeller(rules, language)]));
  const { found, applied } = status === 'authorized' ? judge(summary) : { found: [], applied: '' };
  const findings = found.flatMap(([code, deviations]) =>
    deviations.slice(0, 5).map((one): [Text, Text] => {
      const say = (part: 'finding' | 'todo') =>
        speak(
          (voice) =>
            tellers
              .get(voice.language)
              ?.tell(code, part, { found: one.found, expected: one.expected, ...one.values }) ?? '',
        );
      return [say('finding'), say('todo')];
    }),
  );
  const corrections = eventsOf(looked).flatMap(({ code, text, at }): [Text, Text][] =>
    code === '110110' && text !== undefined
      ? [
          [
            speak((voice) => voice.page('document.correction', { day: momentText(at, voice), text })),
            speak(({ page }) => page('document.correction_more')),
          ],
        ]
      : [],
  );
  const reasons = eventsOf(looked).flatMap(({ code = '', text }): [Text, Text][] =>
    cancellationEvents.has(code)
      ? [
          [
            text === undefined ? speak(({ page }) => page('document.no_reason')) : `“${text}”`,
            speak(({ page }) => page('document.out_of_sums')),
          ],
        ]
      : [],
  );
  const warningsIn = (voice: Voice) => warningTexts(summary, context.company.settings.cnpj, voice);
  const warnings = warningsIn(context.translator as Voice).map((_, at): readonly [Text] => [
    speak((voice) => warningsIn(voice)[at]?.message ?? ''),
  ]);
  const lines: (readonly [Text, Text?])[] = [
    ...reasons,
    ...findings,
    ...warnings,
    ...corrections,
    ...(summary.environment === 'test' ? [[speak(({ page }) => page('document.test_more'))] as const] : []),
  ];
  const ran = applied.replaceAll('0', '').length;
  if (lines.length > 0) return { name: speak(({ page }) => page('check.findings')), tone: 'soon', lines };
  return {
    name: speak(({ page }) => page('check.findings')),
    lines: [[speak(({ page }) => (ran > 0 ? page('check.none', { count: ran }) : page('check.not_run')))]],
  };
}

function deadlineCheck(looked: Looked): Check[] {
  const deadline = openDeadline(looked);
  if (deadline === undefined) return [];
  const { speak } = looked;
  const { daysLeft, lastDay, tacit } = deadline;
  return [
    {
      name: speak(({ page }) => page('check.deadline')),
      tone: daysLeft >= 0 && daysLeft <= 7 ? 'bad' : undefined,
      lines: [
        [
          speak((voice) =>
            voice.page(daysLeft < 0 ? 'deadline.over' : daysLeft === 0 ? 'deadline.today' : 'deadline.left', {
              day: voice.day(lastDay),
              days: Math.abs(daysLeft),
            }),
          ),
          speak(({ page }) =>
            page(
              daysLeft >= 0
                ? 'deadline.left_more'
                : tacit === 'yes'
                  ? 'deadline.over_more'
                  : 'deadline.unclear_more',
            ),
          ),
        ],
      ],
    },
  ];
}

function authenticity(
  looked: Looked,
  named: DocumentActions['named'],
  verified: Verified | undefined,
): Check {
  const {
    document: { summary, status_at: at, status_from: from },
    speak,
    context,
  } = looked;
  const name = speak(({ page }) => page('check.authenticity'));
  if (verified !== undefined) {
    const { content, signer, authorization } = verified;
    const bad = [
      content.result === 'changed',
      signer.result === 'differs',
      authorization.result === 'contradicted',
    ];
    const sure = (key: string) => speak((voice) => voice.page(key as 'content.unchanged'));
    const signedBy = [signer.name, signer.id && maskTaxId(signer.id)].filter(Boolean).join(', ');
    const more = [
      ...(signer.valid_at_issue === false ? ['verified.expired'] : []),
      `chain.${signer.chain}`,
    ].map(sure);
    return {
      name,
      tone: bad.some(Boolean) ? 'bad' : undefined,
      lines: [
        [
          sure(`authorization.${authorization.result}`),
          authorization.reason ??
            (authorization.status &&
              speak(({ page, tell }) =>
                page('authenticity.status', {
                  status: tell(`status.${authorization.status}` as 'status.cancelled', {}),
                }),
              )),
        ],
        ...(authorization.protocol_matches === false ? [[sure('verified.protocol_differs')] as const] : []),
        ...(authorization.key_matches === false ? [[sure('verified.key_differs')] as const] : []),
        [
          sure(`content.${content.result}`),
          content.reason === undefined
            ? undefined
            : speak(({ tell }) => tell(`verify.reason_${content.reason}` as 'verify.reason_not_signed', {})),
        ],
        [sure(`signer.${signer.result}`), signedBy === '' ? undefined : signedBy],
        ...more.map((line): readonly [Text] => [line]),
      ],
    };
  }
  const isFromService = from === 'service';
  const protocol = summary.protocol?.number;
  const day = at === undefined ? undefined : dayInZone(context.company.settings.timeZone, new Date(at));
  return {
    name,
    lines: [
      [
        speak(({ page }) => page(isFromService ? 'authenticity.service' : 'authenticity.document')),
        speak((voice) =>
          [
            protocol === undefined ? '' : voice.page('authenticity.protocol', { protocol }),
            day === undefined ? '' : voice.page('authenticity.looked_up', { day: voice.shortDay(day) }),
          ]
            .filter(Boolean)
            .join(', '),
        ),
      ],
    ],
    ...(named !== undefined && {
      press: { tool: 'verify_document', args: named, text: speak(({ page }) => page('press.verify')) },
    }),
  };
}

/** What to check of a document, until when to answer it, and whether it is genuine. */
export function checksOf(
  looked: Looked,
  named: DocumentActions['named'],
  verified: Verified | undefined,
): Check[] {
  return [toCheck(looked), ...deadlineCheck(looked), authenticity(looked, named, verified)];
}
