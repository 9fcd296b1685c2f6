/** The names in a list separated by blanks. */
export type NamesIn<List extends string, Found = never> = List extends `${infer First} ${infer Rest}`
  ? NamesIn<Rest, Found | First>
  : Found | List;

/** Optional texts of a file under our names; absent if the file omits them. */
export type Facts<Names extends string> = { readonly [Name in NamesIn<Names>]?: string };

type IdentifierProblem =
  | NamesIn<'key_length key_form key_state key_month key_check_digit key_model key_issuer nfse_key_length'>
  | NamesIn<'nfse_key_form cnpj_length cnpj_form cnpj_repeated cnpj_check_digits cpf_form cpf_repeated'>
  | NamesIn<'cpf_check_digits'>;

type DocumentProblem =
  | NamesIn<'key_missing key_against_state key_against_month key_against_issuer key_against_model'>
  | NamesIn<'key_against_series key_against_number protocol_against_key issuer_id recipient_id sender_id'>
  | NamesIn<'payer_id items_against_products parts_against_total items_against_pis items_against_cofins'>
  | NamesIn<'items_against_ibs items_against_cbs class_trib_against_cst item_class_trib_against_cst'>
  | NamesIn<'net_against_parts test_environment authorization_alert status_unknown'>
  | NamesIn<'company_not_in_document'>;

type ManifestationProblem =
  | NamesIn<'manifestation_model manifestation_own_note justification_not_taken justification_missing'>
  | NamesIn<'justification_length justification_characters batch_empty batch_repeated_key template_key'>
  | NamesIn<'template_event template_placeholder template_layout event_value event_justification_lost'>
  | NamesIn<'event_too_long'>;

/** Every problem `documents` can find. The catalogue must have a text for each: a missing one is a type error. */
export type ProblemCode = IdentifierProblem | ManifestationProblem | DocumentProblem;

/** A problem of a value or an oddity of a document. Its text is in the catalogue, `problem.<code>`. */
export interface Problem {
  readonly code: ProblemCode;
  /** Values for the text: found and expected, positions. Unchanged from the input. */
  readonly values: Readonly<Record<string, string>>;
}

/** A valid value with any warnings, or the one problem that made it unusable. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T; readonly warnings: readonly Problem[] }
  | { readonly ok: false; readonly problem: Problem };

/** A valid value with its warnings. */
export function accepted<T>(value: T, warnings: readonly Problem[] = []): Checked<T> {
  return { ok: true, value, warnings };
}

/** The problem that makes a value unusable. */
export function refused(code: ProblemCode, values: Record<string, string> = {}): Checked<never> {
  return { ok: false, problem: { code, values } };
}
