import { documentsCredentials } from '../credentials.ts';
import { jsonReply, type Reply, reply } from '../reply.ts';
import type { SandboxRequest } from '../request.ts';
import { formed } from './formed.ts';
import { BadRequest } from './refusals.ts';
import { type Route, routes } from './routes.ts';
import type { DocumentsService, Inputs } from './service.ts';

const LONGEST_TARGET = 2_048;
const INTEGER = /^\s*[+-]?\d{1,10}\s*$/;
const LARGEST_INTEGER = 2_147_483_647;

function message(status: number, text: string, detail?: string): Reply {
  return jsonReply(status, { Message: text, ...(detail === undefined ? {} : { MessageDetail: detail }) });
}

function tooLong(): Reply {
  const page =
    '<!DOCTYPE html><html><head><title>404 - File or directory not found.</title></head>' +
    '<body><h2>HTTP Error 404.15 - Not Found</h2>' +
    '<h3>The request filtering module is configured to deny a request where the query string is too long.</h3>' +
    '</body></html>';
  return reply(404, 'text/html', page);
}

function notFound(request: SandboxRequest, detail: string): Reply {
  const address = `http://${request.headers.host ?? 'localhost'}${request.path}`;
  return message(404, `No HTTP resource was found that matches the request URI '${address}'.`, detail);
}

/** Values by parameter name in lower case; the service does not mind the case of a name. */
function valuesOf(query: URLSearchParams): Map<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of query) {
    if (!values.has(name.toLowerCase())) values.set(name.toLowerCase(), value);
  }
  return values;
}

function isInteger(text: string): boolean {
  return INTEGER.test(text) && Math.abs(Number(text)) <= LARGEST_INTEGER;
}

function badInteger(route: Route, values: Map<string, string>): string | undefined {
  const integers = Object.keys(route.parameters).filter((name) => route.parameters[name] === 'integer');
  return integers.find((name) => !isInteger(values.get(name.toLowerCase()) ?? ''));
}

function inputsOf(values: Map<string, string>): Inputs {
  function text(name: string): string {
    const value = values.get(name.toLowerCase());
    if (value === undefined) throw new RangeError(`no parameter ${name}`);
    return value;
  }
  return { text, integer: (name) => Number(text(name)) };
}

function authorized(inputs: Inputs): boolean {
  const { user, password } = documentsCredentials;
  return inputs.text('usuario') === user && inputs.text('senha') === password;
}

async function perform({ answer }: Route, service: DocumentsService, inputs: Inputs): Promise<Reply> {
  try {
    return formed(await answer(service, inputs), service);
  } catch (error) {
    if (error instanceof BadRequest) return message(400, error.message);
    throw error;
  }
}

/** Answers a request below `/API/`: the action is selected by path, method and parameter names. */
export function callDocumentsService(
  request: SandboxRequest,
  service: DocumentsService,
): Reply | Promise<Reply> {
  if (request.targetLength > LONGEST_TARGET) return tooLong();
  const route = routes.find(
    ({ operation }) => `/api/${operation}`.toLowerCase() === request.path.toLowerCase(),
  );
  if (!route) {
    const controller = request.path.split('/')[2] ?? '';
    return notFound(
      request,
      `No action was found on the controller '${controller}' that matches the request.`,
    );
  }
  if (request.method !== route.method) {
    return message(405, `The requested resource does not support http method '${request.method}'.`);
  }
  const values = valuesOf(request.query);
  const [controller] = route.operation.split('/');
  if (!Object.keys(route.parameters).every((name) => values.has(name.toLowerCase()))) {
    return notFound(
      request,
      `No action was found on the controller '${controller}' that matches the request.`,
    );
  }
  const wrong = badInteger(route, values);
  if (wrong !== undefined) {
    const detail = `The parameters dictionary contains an invalid entry for parameter '${wrong}' of type 'System.Int32'.`;
    return message(400, 'The request is invalid.', detail);
  }
  const inputs = inputsOf(values);
  if ('usuario' in route.parameters && !authorized(inputs)) {
    if (route.operation === 'ConsumoWS/Login') return jsonReply(200, 0);
    return message(401, 'Authorization has been denied for this request.');
  }
  return perform(route, service, inputs);
}
