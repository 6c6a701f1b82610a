/** What stands in a contract's text in place of what differs from student to student. */
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

/** Filled in only when the contract is signed. */
const AT_SIGNING: MergeField = 'cpf';

const isField = (name: string): name is MergeField => Object.hasOwn(mergeFields, name);

/** A tag as a whole, or a field in the text between tags. */
const PARTS = /<[^>]*>|\{\{\s*([\p{L}\w]*)\s*\}\}/gu;

/** Fields in a text that nobody knows. */
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

/** Text as it stands in HTML: neither a tag nor a field begins in it. */
const escaped = (text: string) => text.replace(/[&<>"'{}]/g, (character) => entities[character]!);

/** Sanitised HTML with values in the places of its fields. Fields without a value stay. */
export function fill(html: string, values: Partial<Record<MergeField, string>>): string {
  return html.replace(PARTS, (part, name?: string) => {
    const value = name !== undefined && isField(name) ? values[name] : undefined;
    return value === undefined ? part : escaped(value);
  });
}

/** The form of a CPF in texts. */
export const formatCpf = (digits: string) => digits.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4');

/** With a line in place of the CPF until somebody signs. */
export const withoutCpf = (html: string) => fill(html, { [AT_SIGNING]: '___.___.___-__' });
