import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import {
  createEventLayout,
  type EventFields,
  type EventLayout,
  requestsOf,
} from '../../src/clients/documents/event-layout.ts';
import { eventNames } from '../../src/documents/events/manifestation.ts';
import type { Checked } from '../../src/documents/problems.ts';
import { anyCharacter } from '../support/any-character.ts';

const key = '35170458716523000119550010000000121000123458';
const defaultTemplate = '{"ChaveNFe":"{key}","TipoEvento":"{code}","Motivo":"{justification}"}';

function unwrap<T>(checked: Checked<T>): T {
  if (!checked.ok) throw new Error(`refused: ${checked.problem.code}`);
  return checked.value;
}

function layoutOf(template: string): EventLayout {
  return unwrap(createEventLayout(template));
}

const batchesOf = (events: readonly EventFields[], layout: EventLayout, lengthOf: (text: string) => number) =>
  requestsOf(events, layout, { isBatch: true, lengthOf });

function problemOf(checked: Checked<unknown>): string | undefined {
  return checked.ok ? undefined : checked.problem.code;
}

/** Attribute and element values of an XML text, in order, by a parser that is not the program's. */
function readXml(text: string): string[] {
  const values: string[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ attributes }) => values.push(...Object.values(attributes), ''));
  parser.on('text', (part) => values.push(`${values.pop() ?? ''}${part}`));
  parser.write(text).close();
  return values;
}

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...'"\\<>&\'|;,:{}[]\n\r\t key code-- ]]>'), maxLength: 40 }),
  fc.constantFrom('{key}', '","TipoEvento":"210200', '</a><b>', ']]>', '{justification}', '\\', '$&', '$1'),
);
const anyEvent = fc.record({
  key: fc.constantFrom(key, '52060412ABC34501DE35550120000007801267301610'),
  event: fc.constantFrom(...eventNames),
  justification: anyText,
});

const expected = {
  ciencia: ['210210', 'Ciencia da Operacao'],
  confirmacao: ['210200', 'Confirmacao da Operacao'],
  desconhecimento: ['210220', 'Desconhecimento da Operacao'],
  nao_realizada: ['210240', 'Operacao nao Realizada'],
} as const;

it.each([
  [defaultTemplate, 'json'],
  [' [ {"k": {key}, "t": {code}} ] ', 'json'],
  ['<e c="{code}"><k>{key}</k>{justification}</e>', 'xml'],
  ['<?xml version="1.0"?>\n<e><k>{key}</k><n>{name}</n></e>', 'xml'],
  ['{key}|{code}|{justification}', 'plain'],
  ['chave={key};evento={name}', 'plain'],
])('the template %s is understood as %s', (template, kind) => {
  expect(layoutOf(template).kind).toBe(kind);
});

it.each(
  Object.entries({
    template_key: ['', '{code}|{justification}'],
    template_event: ['{key}|{justification}'],
    template_placeholder: [
      ...['{"a":"{key}","b":"{tipo}"}', '{"a":"{Key}","b":"{code}"}', '{"a":"{ key }","b":"{code}"}'],
      '{key}|{code}|{motivo}',
    ],
    template_layout: [
      ...['{"a":"{key}","b":"{code}"', '[{key}|{code}]', '{"a":"{key}","a":"{code}"}'],
      ...['{"a":"\\{key}","b":"{code}"}', '<e><k>{key}</k><c>{code}</c>', '<{key}>{code}</{key}>'],
      ...['<e><!-- {key} --><c>{code}</c></e>', '<e><![CDATA[{key}]]>{code}</e>', '<e {key}="1">{code}</e>'],
      ...['<e>{key}</e>{code}', '{key}{code}', '{key} {code}', '{key}|\n{code}'],
    ],
  }),
)('a template is refused with %s', (code, templates) => {
  for (const template of templates) expect(problemOf(createEventLayout(template)), template).toBe(code);
});

it('a refused template names the placeholder that does not exist', () => {
  const problem = { code: 'template_placeholder', values: { found: '{chave}' } };
  expect(createEventLayout('{key}|{chave}|{code}')).toEqual({ ok: false, problem });
});

describe('rendering', () => {
  const refusedWith = (justification: string): EventFields => ({
    key,
    event: 'nao_realizada',
    justification,
  });
  const events: EventFields[] = [
    { key, event: 'ciencia' },
    { key, event: 'confirmacao' },
  ];

  it.each<[template: string, event: EventFields, written: string]>([
    [defaultTemplate, { key, event: 'ciencia' }, `{"ChaveNFe":"${key}","TipoEvento":"210210","Motivo":""}`],
    [
      defaultTemplate,
      refusedWith('Carga "avariada" na entrega'),
      `{"ChaveNFe":"${key}","TipoEvento":"210240","Motivo":"Carga \\"avariada\\" na entrega"}`,
    ],
    // No value is put into the place that another value brought along.
    [
      defaultTemplate,
      refusedWith('{key} {code} {name} $& $1'),
      `{"ChaveNFe":"${key}","TipoEvento":"210240","Motivo":"{key} {code} {name} $& $1"}`,
    ],
    // Bare JSON places are put in quotes, but a bare code is a number.
    [
      '{"k":{key},"c":{code},"n":{name}}',
      { key, event: 'confirmacao' },
      `{"k":"${key}","c":210200,"n":"Confirmacao da Operacao"}`,
    ],
    ['{key}|{code}', { key, event: 'ciencia', justification: '' }, `${key}|210210`],
    [
      'chave={key}|motivo={justification}|evento={code}',
      refusedWith('caixa (2) - avariada; devolvida'),
      `chave=${key}|motivo=caixa (2) - avariada; devolvida|evento=210240`,
    ],
  ])('%s', (template, event, written) => {
    expect(unwrap(layoutOf(template).render(event))).toBe(written);
  });

  it.each([
    ['{"k":"{key}","c":"{code}"}', `[{"k":"${key}","c":"210210"},{"k":"${key}","c":"210200"}]`],
    ['{key};{code}', `${key};210210\n${key};210200`],
    ['<e k="{key}">{code}</e>', `<e k="${key}">210210</e>\n<e k="${key}">210200</e>`],
  ])('a batch of %s is a JSON array or lines', (template, written) => {
    expect(unwrap(layoutOf(template).renderBatch(events))).toBe(written);
  });

  it('refuses a justification that the template has no place for', () => {
    const rendered = layoutOf('{key}|{code}').render(refusedWith('Nao entregue aqui'));
    expect(problemOf(rendered)).toBe('event_justification_lost');
  });

  const separating = ['caixa|evento=210200', 'caixa = 2', 'uma\nduas', 'uma\rduas', 'uma\u2028duas', 'uma|'];
  it.each(separating)('refuses separators and line ends in a plain layout: %j', (text) => {
    const layout = layoutOf('chave={key}|evento={code}|motivo={justification}');
    const problem = { code: 'event_value', values: { field: 'justification' } };
    expect(layout.render(refusedWith(text))).toEqual({ ok: false, problem });
    expect(problemOf(layout.renderBatch([...events, refusedWith(text)]))).toBe('event_value');
    expect(problemOf(batchesOf([refusedWith(text)], layout, () => 1))).toBe('event_value');
  });
});

describe('no value breaks out of its field, or it is refused because it can not be written', () => {
  type Values = Record<'key' | 'code' | 'name' | 'justification', string>;
  const lines = (text: string, read: (line: string) => unknown) => text.split('\n').map(read);
  it.each<
    [template: string, unwritable: RegExp, read: (batch: string) => unknown, values: (of: Values) => unknown]
  >([
    [
      '{"k":"{key}","t":"{code}","n":"x{name}","m":["{justification}"]}',
      /(?!)/,
      JSON.parse,
      ({ key, code, name, justification }) => ({ k: key, t: code, n: `x${name}`, m: [justification] }),
    ],
    [
      '<e m="{justification}"><k>{key}</k><t>{code}</t><m>{justification}</m></e>',
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 excludes exactly these.
      /[\u0000-\u0008\v\f\u000e-\u001f\ufffe\uffff]|\p{Cs}/u,
      (text) => lines(text, readXml),
      ({ key, code, justification }) => [justification, '', key, code, justification],
    ],
    [
      '{key} - {code};{justification}#{name}',
      /[-;#\n\v\f\r\u0085\u2028\u2029]|\p{Cs}/u,
      (text) => lines(text, (line) => line.split(/ - |[;#]/)),
      ({ key, code, justification, name }) => [key, code, justification, name],
    ],
  ])('in %s', (template, unwritable, read, valuesOf) => {
    const layout = layoutOf(template);
    const property = fc.property(fc.array(anyEvent, { minLength: 1, maxLength: 3 }), (events) => {
      const rendered = layout.renderBatch(events);
      expect(rendered.ok).toBe(!events.some(({ justification }) => unwritable.test(justification)));
      if (!rendered.ok) {
        expect(rendered.problem.code).toBe('event_value');
        return;
      }
      const values = events.map(({ event, ...given }) => {
        const [code, name] = expected[event];
        return valuesOf({ ...given, code, name });
      });
      expect(read(rendered.value)).toEqual(values);
    });
    fc.assert(property, { numRuns: 500 });
  });
});

describe('requestsOf', () => {
  const layout = layoutOf(defaultTemplate);
  const fixed = 'POST /API/Mercadoria/RealizarLoteManifesto?usuario=ana&senha=p%40ss&eventos= HTTP/1.1'
    .length;
  const requestLineLength = (text: string) => fixed + encodeURIComponent(text).length;
  const keys = Array.from({ length: 45 }, (_, number) => `${key.slice(0, 40)}${1000 + number}`);

  it.each<[by: string, lengthOf: (text: string) => number, sizes: number[]]>([
    ['20 events, even where more would fit', () => 100, [20, 20, 5]],
    // A line of 51 characters for each event.
    ['2,000 characters', (text) => 10 * text.length, Array.from({ length: 15 }, () => 3)],
  ])('has every event once and in order, in batches of at most %s', (_, lengthOf, sizes) => {
    const short = layoutOf('{key};{code}');
    const events = keys.map((k): EventFields => ({ key: k, event: 'ciencia' }));
    const parts = unwrap(batchesOf(events, short, lengthOf));
    expect(parts.map((part) => part.keys.length)).toEqual(sizes);
    expect(parts.flatMap((part) => part.keys)).toEqual(keys);
    expect(parts.flatMap(({ text }) => text.split('\n'))).toEqual(keys.map((k) => `${k};210210`));
  });

  it.each([true, false])('takes exactly 2,000 characters and not 2,001, in a batch: %s', (isBatch) => {
    const one: EventFields = { key, event: 'ciencia' };
    const written = isBatch ? layout.renderBatch([one]) : layout.render(one);
    const request = { keys: [key], text: unwrap(written) };
    expect(unwrap(requestsOf([one], layout, { isBatch, lengthOf: () => 2000 }))).toEqual([request]);
    expect(requestsOf([one], layout, { isBatch, lengthOf: () => 2001 })).toEqual({
      ok: false,
      problem: { code: 'event_too_long', values: { key, length: '2001', limit: '2000' } },
    });
  });

  it('refuses the whole batch, naming the event that does not fit alone', () => {
    const long = 'ç'.repeat(400);
    const events: EventFields[] = [
      { key: keys[0] ?? '', event: 'ciencia' },
      { key, event: 'nao_realizada', justification: long },
    ];
    const split = batchesOf(events, layout, requestLineLength);
    expect(split.ok ? undefined : split.problem.values.key).toBe(key);
    expect(problemOf(split)).toBe('event_too_long');
  });
});
