import type { Message } from './message.ts';

/** Bounds of what goes between a host and this program. */
export const protocolMessages = {
  'protocol.line_too_long': [
    'Uma mensagem com mais de {bytes} bytes foi recusada; nada foi feito com ela. Envie menos de cada vez.',
    'A message of more than {bytes} bytes was refused; nothing was done with it. Send less at a time.',
  ],
} as const satisfies Record<`protocol.${string}`, Message>;
