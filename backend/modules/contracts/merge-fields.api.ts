import * as z from 'zod/mini';

/** Placeholders in a contract's text for values that differ between students. */
export const mergeFields = {
  aluno: 'Nome do aluno',
  cpf: 'CPF do aluno',
  plano: 'Plano',
  valor: 'Valor do plano',
  validade: 'Validade dos créditos',
  local: 'Local das sessões',
  politica: 'Política de cancelamento',
  data: 'Data do envio',
} as const;
export type MergeField = keyof typeof mergeFields;
export const mergeField = z.enum(Object.keys(mergeFields) as [MergeField]);

/** Filled in only at the signature. */
const AT_SIGNING: MergeField = 'cpf';

const isField = (name: string): name is MergeField => Object.hasOwn(mergeFields, name);

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

/** Fills the fields of sanitised HTML with values. Fields without a value stay. */
export function fill(html: string, values: Partial<Record<MergeField, string>>): string {
  return html.replace(PARTS, (part, name?: string) => {
    const value = name !== undefined && isField(name) ? values[name] : undefined;
    return value === undefined ? part : escaped(value);
  });
}

/** Formats a CPF for texts. */
export const formatCpf = (digits: string) => digits.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4');

/** Shows a line in place of the CPF until the contract is signed. */
export const withoutCpf = (html: string) => fill(html, { [AT_SIGNING]: '___.___.___-__' });
