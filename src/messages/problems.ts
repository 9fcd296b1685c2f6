import type { ProblemCode } from '../documents/problems.ts';
import type { Message } from './message.ts';

/** Words for what the documents room finds wrong or odd. */
export const problemMessages = {
  'problem.key_length': {
    'pt-BR': 'a chave tem {length} posições e deveria ter 44',
    en: 'the key has {length} positions and should have 44',
  },
  'problem.key_form': {
    'pt-BR': 'a chave tem letras fora das posições 7 a 18, ou outros sinais',
    en: 'the key has letters outside positions 7 to 18, or other signs',
  },
  'problem.key_state': {
    'pt-BR': 'a chave começa com {found}, que não é código de UF',
    en: 'the key begins with {found}, which is not a state code',
  },
  'problem.key_month': {
    'pt-BR': 'a chave traz {found} onde deveria haver ano e mês (AAMM)',
    en: 'the key has {found} where year and month (YYMM) should be',
  },
  'problem.key_check_digit': {
    'pt-BR': 'o dígito verificador da chave é {found} e deveria ser {expected}',
    en: 'the check digit of the key is {found} and should be {expected}',
  },
  'problem.key_model': {
    'pt-BR': 'a chave é de modelo {found}, que este serviço não atende',
    en: 'the key is of model {found}, which this service does not serve',
  },
  'problem.key_issuer': {
    'pt-BR': 'o CNPJ ou CPF dentro da chave ({found}) não confere',
    en: 'the tax id inside the key ({found}) does not check',
  },
  'problem.nfse_key_length': {
    'pt-BR': 'a chave da NFS-e nacional tem {length} posições e deveria ter 50',
    en: 'the national NFS-e key has {length} positions and should have 50',
  },
  'problem.nfse_key_form': {
    'pt-BR': 'a chave da NFS-e nacional tem letras ou sinais fora do lugar',
    en: 'the national NFS-e key has letters or signs where they cannot be',
  },
  'problem.cnpj_length': {
    'pt-BR': 'o CNPJ tem {length} posições e deveria ter 14',
    en: 'the CNPJ has {length} positions and should have 14',
  },
  'problem.cnpj_form': {
    'pt-BR': 'o CNPJ só pode ter letras nas doze primeiras posições',
    en: 'a CNPJ may have letters in its first twelve positions only',
  },
  'problem.cnpj_repeated': {
    'pt-BR': 'o CNPJ repete uma só posição',
    en: 'the CNPJ repeats a single position',
  },
  'problem.cnpj_check_digits': {
    'pt-BR': 'os dígitos verificadores do CNPJ são {found} e deveriam ser {expected}',
    en: 'the check digits of the CNPJ are {found} and should be {expected}',
  },
  'problem.cpf_form': {
    'pt-BR': 'um CPF tem 11 algarismos; este tem {length} posições',
    en: 'a CPF has 11 digits; this one has {length} positions',
  },
  'problem.cpf_repeated': {
    'pt-BR': 'o CPF repete um só algarismo',
    en: 'the CPF repeats a single digit',
  },
  'problem.cpf_check_digits': {
    'pt-BR': 'os dígitos verificadores do CPF são {found} e deveriam ser {expected}',
    en: 'the check digits of the CPF are {found} and should be {expected}',
  },
} as const satisfies Record<`problem.${ProblemCode}`, Message>;
