import * as z from 'zod/mini';

/** Placeholders in a contract's text: values that differ between students, and what the trainer's receipts say of the trainer. */
export const mergeFields = {
  aluno: 'Nome do aluno',
  cpf: 'CPF do aluno',
  plano: 'Plano',
  valor: 'Valor do plano',
  encargos: 'Multa, juros e desconto',
  validade: 'Validade dos créditos',
  local: 'Local das sessões',
  politica: 'Política de cancelamento',
  data: 'Data do envio',
  personal: 'Seu nome',
  documento: 'Seu CPF ou CNPJ',
  cref: 'Seu CREF',
} as const;
export type MergeField = keyof typeof mergeFields;
export const mergeField = z.enum(Object.keys(mergeFields) as [MergeField]);

/** Filled in only at the signature. */
const AT_SIGNING: MergeField = 'cpf';

export const isField = (name: string | undefined): name is MergeField =>
  name !== undefined && Object.hasOwn(mergeFields, name);

/** Matches a whole tag, or a field in the text between tags. With `(?!\s)`, blanks match in one way only: in bounded time. */
const PARTS = /<[^>]*>|\{\{\s*(?!\s)([\p{L}\w]*)\s*\}\}/gu;

/** The fields in a text that are not merge fields. */
export function unknownFields(html: string): string[] {
  const names = [...html.matchAll(PARTS)].flatMap(([, name]) => name ?? []);
  return [...new Set(names)].filter((name) => !isField(name));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '{': '&#123;',
  '}': '&#125;',
};

/** Escapes text for HTML, so that it can contain neither a tag nor a field. */
const escaped = (text: string) => text.replace(/[&<>"'{}]/g, (character) => entities[character]!);

/** The merge fields in a text. */
export const usedFields = (html: string): MergeField[] => {
  const names = [...html.matchAll(PARTS)].flatMap(([, name]) => name ?? []);
  return [...new Set(names)].filter(isField);
};

/** Replaces each field in the text between tags by HTML; undefined leaves it. */
export const replaceFields = (html: string, by: (field: MergeField) => string | undefined): string =>
  html.replace(PARTS, (part, name?: string) => (isField(name) ? by(name) : undefined) ?? part);

/** Fills the fields of sanitised HTML with values. Fields without a value stay. */
export const fill = (html: string, values: Partial<Record<MergeField, string>>): string =>
  replaceFields(html, (field) => {
    const value = values[field];
    return value === undefined ? undefined : escaped(value);
  });

/** Shown in place of the CPF until the contract is signed. */
export const WITHOUT_CPF = '___.___.___-__';

export const withoutCpf = (html: string) => fill(html, { [AT_SIGNING]: WITHOUT_CPF });
