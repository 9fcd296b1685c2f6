import { type ReplyForm, readReplyForm } from './documents-service/reply-forms.ts';
import type { FaultQueue } from './faults.ts';
import { emptyReply, jsonReply, type Reply } from './reply.ts';
import { jsonOf, type SandboxRequest } from './request.ts';
import type { RequestLog } from './request-log.ts';

/** What can be changed and looked at while a sandbox runs. */
export interface Controls {
  readonly faults: FaultQueue;
  readonly log: RequestLog;
  replyForm: ReplyForm;
}

export const CONTROL_PREFIX = '/__sandbox/';

function refused(message: string): Reply {
  return jsonReply(400, { message });
}

function setReplyForm(controls: Controls, body: Buffer): Reply {
  const wanted = readReplyForm(jsonOf(body), controls.replyForm);
  if (!wanted) return refused('unknown form or pdf');
  controls.replyForm = wanted;
  return jsonReply(200, wanted);
}

/** Answers a request below `/__sandbox/`. */
export function callControl({ method, path, body }: SandboxRequest, controls: Controls): Reply {
  switch (`${method} ${path.slice(CONTROL_PREFIX.length)}`) {
    case 'POST faults':
      return controls.faults.add(jsonOf(body)) ? emptyReply(204) : refused('not a fault');
    case 'DELETE faults':
      controls.faults.clear();
      return emptyReply(204);
    case 'GET requests':
      return jsonReply(200, controls.log.all());
    case 'PUT reply-form':
      return setReplyForm(controls, body);
    default:
      return jsonReply(404, { message: 'no such control' });
  }
}
