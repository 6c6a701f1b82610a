import { escapeHtml } from '../mail/letter.js';
import type { QueueState } from './queues.js';

const FORMAT = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'medium' });
const STATES: Readonly<Record<string, string>> = {
  waiting: 'Na fila',
  active: 'Em execução',
  delayed: 'Marcadas para depois',
  failed: 'Falharam',
};

/** Page on which operators see the queues, and can retry failed jobs. */
export function jobsPage(queues: readonly QueueState[]): string {
  return `<!doctype html>
<html lang="pt-BR">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Filas · Rende</title>
<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui;max-width:1040px;margin:32px auto;padding:0 16px}
div{overflow-x:auto}table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:8px 16px 8px 0;border-bottom:1px solid #8884;overflow-wrap:anywhere}
button{font:inherit;min-height:44px;padding:0 16px}</style></head>
<body><h1>Filas</h1>
${table(
  ['Fila', ...Object.values(STATES)],
  queues.map(({ name, counts }) => [name, ...Object.keys(STATES).map((state) => String(counts[state] ?? 0))]),
)}
<h2>Tarefas que falharam</h2>
${failedOf(queues)}
</body>
</html>
`;
}

function failedOf(queues: readonly QueueState[]): string {
  const rows = queues.flatMap(({ name, failed }) => failed.map((job) => ({ ...job, name })));
  if (rows.length === 0) return '<p>Nenhuma.</p>';
  const body = rows.map(({ name, kind, id, reason, attempts, failedAt }) => {
    const action = `/dev/jobs/retry?${new URLSearchParams({ queue: name, id }).toString()}`;
    const cells = [kind, id, reason, String(attempts), FORMAT.format(failedAt)].map(cell).join('');
    return `<tr>${cells}<td><form method="post" action="${escapeHtml(action)}"><button>Tentar de novo</button></form></td></tr>`;
  });
  return `<div><table>${head(['Tarefa', 'Número', 'Erro', 'Tentativas', 'Quando', ''])}${body.join('')}</table></div>`;
}

function table(titles: readonly string[], rows: readonly string[][]): string {
  const body = rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('');
  return `<div><table>${head(titles)}${body}</table></div>`;
}

function head(titles: readonly string[]): string {
  return `<tr>${titles.map((title) => `<th>${escapeHtml(title)}</th>`).join('')}</tr>`;
}

function cell(text: string): string {
  return `<td>${escapeHtml(text)}</td>`;
}
