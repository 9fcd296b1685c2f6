import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import {
  createEventLayout,
  type EventFields,
  type EventLayout,
  splitBatch,
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

function problemOf(checked: Checked<unknown>): string | undefined {
  return checked.ok ? undefined : checked.problem.code;
}

/** Element and attribute values of an XML text by name, and how many elements and attributes there are. */
function readXml(text: string): { values: Record<string, string>; count: number } {
  const values: Record<string, string> = {};
  let count = 0;
  let current = '';
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => {
    count += 1;
    current = name;
    values[name] = '';
  });
  parser.on('attribute', ({ name, value }) => {
    count += 1;
    values[name] = value;
  });
  parser.on('text', (part) => {
    values[current] = (values[current] ?? '') + part;
  });
  parser.write(text).close();
  return { values, count };
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

describe('a template', () => {
  it.each([
    [defaultTemplate, 'json'],
    [' [ {"k": {key}, "t": {code}} ] ', 'json'],
    ['<e c="{code}"><k>{key}</k>{justification}</e>', 'xml'],
    ['<?xml version="1.0"?>\n<e><k>{key}</k><n>{name}</n></e>', 'xml'],
    ['{key}|{code}|{justification}', 'plain'],
    ['chave={key};evento={name}', 'plain'],
  ])('%s is understood as %s', (template, kind) => {
    expect(layoutOf(template).kind).toBe(kind);
  });

  it.each([
    ['', 'template_key'],
    ['{code}|{justification}', 'template_key'],
    ['{key}|{justification}', 'template_event'],
    ['{"a":"{key}","b":"{tipo}"}', 'template_placeholder'],
    ['{"a":"{Key}","b":"{code}"}', 'template_placeholder'],
    ['{"a":"{ key }","b":"{code}"}', 'template_placeholder'],
    ['{key}|{code}|{motivo}', 'template_placeholder'],
    ['{"a":"{key}","b":"{code}"', 'template_layout'],
    ['[{key}|{code}]', 'template_layout'],
    ['{"a":"{key}","a":"{code}"}', 'template_layout'],
    ['{"a":"\\{key}","b":"{code}"}', 'template_layout'],
    ['<e><k>{key}</k><c>{code}</c>', 'template_layout'],
    ['<{key}>{code}</{key}>', 'template_layout'],
    ['<e><!-- {key} --><c>{code}</c></e>', 'template_layout'],
    ['<e><![CDATA[{key}]]>{code}</e>', 'template_layout'],
    ['<e {key}="1">{code}</e>', 'template_layout'],
    ['<e>{key}</e>{code}', 'template_layout'],
    ['{key}{code}', 'template_layout'],
    ['{key} {code}', 'template_layout'],
    ['{key}|\n{code}', 'template_layout'],
  ])('%j is refused: %s', (template, code) => {
    expect(problemOf(createEventLayout(template))).toBe(code);
  });

  it('names the placeholder that does not exist', () => {
    expect(createEventLayout('{key}|{chave}|{code}')).toEqual({
      ok: false,
      problem: { code: 'template_placeholder', values: { found: '{chave}' } },
    });
  });
});

describe('rendering', () => {
  it('writes the default layout', () => {
    const layout = layoutOf(defaultTemplate);
    expect(unwrap(layout.render({ key, event: 'ciencia' }))).toBe(
      `{"ChaveNFe":"${key}","TipoEvento":"210210","Motivo":""}`,
    );
    const event: EventFields = { key, event: 'nao_realizada', justification: 'Carga "avariada" na entrega' };
    expect(unwrap(layout.render(event))).toBe(
      `{"ChaveNFe":"${key}","TipoEvento":"210240","Motivo":"Carga \\"avariada\\" na entrega"}`,
    );
  });

  it('puts bare JSON places in quotes, but writes a bare code as a number', () => {
    const layout = layoutOf('{"k":{key},"c":{code},"n":{name}}');
    expect(JSON.parse(unwrap(layout.render({ key, event: 'confirmacao' })))).toEqual({
      k: key,
      c: 210200,
      n: 'Confirmacao da Operacao',
    });
  });

  it('writes a batch as a JSON array or as lines', () => {
    const events: EventFields[] = [
      { key, event: 'ciencia' },
      { key, event: 'confirmacao' },
    ];
    const codes: unknown = JSON.parse(unwrap(layoutOf('{"k":"{key}","c":"{code}"}').renderBatch(events)));
    expect(codes).toEqual([
      { k: key, c: '210210' },
      { k: key, c: '210200' },
    ]);
    expect(unwrap(layoutOf('{key};{code}').renderBatch(events))).toBe(`${key};210210\n${key};210200`);
    expect(unwrap(layoutOf('<e k="{key}">{code}</e>').renderBatch(events))).toBe(
      `<e k="${key}">210210</e>\n<e k="${key}">210200</e>`,
    );
  });

  it('never puts a value into the place that another value brought along', () => {
    const event: EventFields = { key, event: 'nao_realizada', justification: '{key} {code} {name} $& $1' };
    const written: unknown = JSON.parse(unwrap(layoutOf(defaultTemplate).render(event)));
    expect(written).toEqual({ ChaveNFe: key, TipoEvento: '210240', Motivo: '{key} {code} {name} $& $1' });
  });

  it('refuses a justification that the template has no place for', () => {
    const layout = layoutOf('{key}|{code}');
    expect(
      problemOf(layout.render({ key, event: 'nao_realizada', justification: 'Nao entregue aqui' })),
    ).toBe('event_justification_lost');
    expect(unwrap(layout.render({ key, event: 'ciencia', justification: '' }))).toBe(`${key}|210210`);
  });

  it('refuses in a plain layout what would be taken for a separator or a new line', () => {
    const layout = layoutOf('chave={key}|evento={code}|motivo={justification}');
    const render = (justification: string) => layout.render({ key, event: 'nao_realizada', justification });
    for (const text of [
      'caixa|evento=210200',
      'caixa = 2',
      'uma\nduas',
      'uma\rduas',
      'uma\u2028duas',
      'uma|',
    ]) {
      expect(render(text), text).toEqual({
        ok: false,
        problem: { code: 'event_value', values: { field: 'justification' } },
      });
    }
    expect(unwrap(render('caixa (2) - avariada; devolvida'))).toBe(
      `chave=${key}|evento=210240|motivo=caixa (2) - avariada; devolvida`,
    );
  });

  it('refuses the whole batch when one event cannot be written', () => {
    const layout = layoutOf('{key}|{code}|{justification}');
    const events: EventFields[] = [
      { key, event: 'ciencia' },
      { key, event: 'nao_realizada', justification: 'a|b' },
    ];
    expect(problemOf(layout.renderBatch(events))).toBe('event_value');
  });
});

describe('no value breaks out of its field', () => {
  it('in JSON', () => {
    const layout = layoutOf('{"k":"{key}","t":"{code}","n":"x{name}","m":["{justification}"]}');
    fc.assert(
      fc.property(fc.array(anyEvent, { minLength: 1, maxLength: 3 }), (events) => {
        const read: unknown = JSON.parse(unwrap(layout.renderBatch(events)));
        expect(read).toEqual(
          events.map(({ key: k, event, justification }) => {
            const [t, n] = expected[event];
            return { k, t, n: `x${n}`, m: [justification] };
          }),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('in XML, or it is refused because XML has no way to write it', () => {
    const layout = layoutOf(
      '<evento motivo="{justification}"><chave>{key}</chave><m>{justification}</m></evento>'.replace(
        '<m>',
        '<tipo>{code}</tipo><m>',
      ),
    );
    fc.assert(
      fc.property(anyEvent, (event) => {
        const rendered = layout.render(event);
        if (!rendered.ok) {
          expect(rendered.problem.code).toBe('event_value');
          // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 excludes exactly these.
          expect(event.justification).toMatch(/[\u0000-\u0008\v\f\u000e-\u001f\ufffe\uffff]|\p{Cs}/u);
          return;
        }
        const { values, count } = readXml(rendered.value);
        expect(count).toBe(5);
        expect(values).toMatchObject({
          chave: event.key,
          tipo: expected[event.event][0],
          motivo: event.justification,
          m: event.justification,
        });
      }),
      { numRuns: 500 },
    );
  });

  it('in plain fields, or it is refused', () => {
    const layout = layoutOf('{key} - {code};{justification}#{name}');
    fc.assert(
      fc.property(fc.array(anyEvent, { minLength: 1, maxLength: 3 }), (events) => {
        const rendered = layout.renderBatch(events);
        const isWritable = events.every(
          ({ justification }) => !/[-;#\n\v\f\r\u0085\u2028\u2029]|\p{Cs}/u.test(justification),
        );
        expect(rendered.ok).toBe(isWritable);
        if (!rendered.ok) return;
        const read = rendered.value.split('\n').map((line) => line.split(/ - |[;#]/));
        expect(read).toEqual(
          events.map(({ key: k, event, justification }) => {
            const [code, name] = expected[event];
            return [k, code, justification, name];
          }),
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe('splitBatch', () => {
  const layout = layoutOf(defaultTemplate);
  const fixed = 'POST /API/Mercadoria/RealizarLoteManifesto?usuario=ana&senha=p%40ss&eventos= HTTP/1.1'
    .length;
  const requestLineLength = (text: string) => fixed + encodeURIComponent(text).length;
  const keys = Array.from({ length: 45 }, (_, number) => `${key.slice(0, 40)}${1000 + number}`);

  it('sends nothing for no events', () => {
    expect(splitBatch([], layout, requestLineLength)).toEqual({ ok: true, value: [], warnings: [] });
  });

  it('keeps the order and every event, each part within 2,000 characters and as full as can be', () => {
    const justification = 'Mercadoria não solicitada; devolução "imediata" à transportadora, 100% recusada';
    const events = keys.map((k): EventFields => ({ key: k, event: 'nao_realizada', justification }));
    const parts = unwrap(splitBatch(events, layout, requestLineLength));
    expect(parts.flatMap((part) => part.events)).toEqual(events);
    for (const [index, part] of parts.entries()) {
      expect(requestLineLength(part.text)).toBeLessThanOrEqual(2000);
      expect(JSON.parse(part.text)).toHaveLength(part.events.length);
      const next = parts[index + 1]?.events[0];
      if (next === undefined) continue;
      const fuller = unwrap(layout.renderBatch([...part.events, next]));
      expect(requestLineLength(fuller)).toBeGreaterThan(2000);
    }
  });

  it('puts no more than 20 events into a part, even where more would fit', () => {
    const short = layoutOf('{key};{code}');
    const events = keys.map((k): EventFields => ({ key: k, event: 'ciencia' }));
    const parts = unwrap(splitBatch(events, short, () => 100));
    expect(parts.map((part) => part.events.length)).toEqual([20, 20, 5]);
  });

  it('takes a request line of exactly 2,000 characters and none of 2,001', () => {
    const one: EventFields[] = [{ key, event: 'ciencia' }];
    expect(splitBatch(one, layout, () => 2000).ok).toBe(true);
    expect(splitBatch(one, layout, () => 2001)).toEqual({
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
    const split = splitBatch(events, layout, requestLineLength);
    expect(split.ok ? undefined : split.problem.values.key).toBe(key);
    expect(problemOf(split)).toBe('event_too_long');
  });

  it('passes on what the layout refuses', () => {
    const plain = layoutOf('{key}|{code}|{justification}');
    const events: EventFields[] = [{ key, event: 'nao_realizada', justification: 'a|b' }];
    expect(problemOf(splitBatch(events, plain, requestLineLength))).toBe('event_value');
  });
});
