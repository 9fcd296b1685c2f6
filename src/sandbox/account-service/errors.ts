import { jsonReply, type Reply } from '../reply.ts';

/**
 * Codes and numbers of the account service's errors. Source: docs/upstream-services.md; a value that contradicts the
 * path has no code there and gets one of the sandbox's own.
 */
const NUMBERS = {
  EntityNotFoundError: 4,
  ValueRequiredError: 5,
  AuthenticationException: 30,
  JsonFormatError: 47,
  InvalidSubscriptionDescription: 318,
  InvalidSubscriptionTypeId: 319,
  InvalidSettingSet: 1727,
  ValueConflictError: 9001,
} as const;

export type AccountErrorCode = keyof typeof NUMBERS;

const STATUS: Readonly<Partial<Record<AccountErrorCode, number>>> = {
  EntityNotFoundError: 404,
  AuthenticationException: 401,
};

export function accountError(code: AccountErrorCode, message: string): Reply {
  const detail = {
    code,
    number: NUMBERS[code],
    message,
    description: message,
    faultCode: 'Client',
    severity: 'Error',
  };
  const headers: Record<string, string> =
    code === 'AuthenticationException'
      ? { 'www-authenticate': 'Basic realm="sandbox", Bearer realm="sandbox"' }
      : {};
  return jsonReply(
    STATUS[code] ?? 400,
    { error: { code, message, target: 'HttpRequest', details: [detail] } },
    headers,
  );
}
