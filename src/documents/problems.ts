/** Every problem this room can find. The catalogue must have words for each: a missing one is a type error. */
export type ProblemCode =
  | 'key_length'
  | 'key_form'
  | 'key_state'
  | 'key_month'
  | 'key_check_digit'
  | 'key_model'
  | 'key_issuer'
  | 'nfse_key_length'
  | 'nfse_key_form'
  | 'cnpj_length'
  | 'cnpj_form'
  | 'cnpj_repeated'
  | 'cnpj_check_digits'
  | 'cpf_form'
  | 'cpf_repeated'
  | 'cpf_check_digits';

/**
 * What can be wrong with a value or odd about a document, as data. The words for it, in the person's language,
 * are in the message catalogue under `problem.<code>`.
 */
export interface Problem {
  readonly code: ProblemCode;
  /** What the words need: found and expected values, positions. Text as it stood in the input. */
  readonly values: Readonly<Record<string, string>>;
}

/** A value that was understood, perhaps with remarks, or the one problem that made it unusable. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T; readonly warnings: readonly Problem[] }
  | { readonly ok: false; readonly problem: Problem };

export function accepted<T>(value: T, warnings: readonly Problem[] = []): Checked<T> {
  return { ok: true, value, warnings };
}

export function refused(code: ProblemCode, values: Record<string, string> = {}): Checked<never> {
  return { ok: false, problem: { code, values } };
}
