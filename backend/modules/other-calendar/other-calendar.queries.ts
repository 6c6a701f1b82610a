import { sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import type { OtherCalendar } from './other-calendar.api.js';

export const ShowOtherCalendar = defineQuery(
  'ShowOtherCalendar',
  async ({ now, read }): Promise<OtherCalendar> => {
    const [row] = await read(connected({ now }));
    if (!row?.link_ics) return { calendario: null };
    const { calendar_id: id, link_ics, desde, lido_em, falha_desde, falha, parado_desde, ocupados } = row;
    return {
      calendario: {
        ...{ id, servidor: new URL(link_ics).hostname, desde: desde.toISOString(), ocupados },
        lido_em: lido_em?.toISOString() ?? null,
        falha_desde: falha_desde?.toISOString() ?? null,
        falha: falha && failureWords(falha),
        parado_desde: parado_desde?.toISOString() ?? null,
        ignorados: row.ignorados ?? 0,
      },
    };
  },
);

const connected = statement((db, { now }: Blanks<{ now: Date }>) =>
  db
    .selectFrom('other_calendar as c')
    .leftJoin('other_calendar_reads as r', (join) => sameTenant(join, 'r.calendar_id', 'c.calendar_id'))
    .select(['c.calendar_id', 'c.link_ics', 'c.desde', 'r.lido_em', 'r.falha_desde', 'r.falha'])
    .select(['c.parado_desde', 'r.ignorados'])
    .select(
      sql<number>`(select count(*)::int from other_calendar_busy b where b.fim > ${now}::timestamptz)`.as(
        'ocupados',
      ),
    )
    .compile(),
);

/** The text of each failure for the trainer. */
const words: Readonly<Record<string, string>> = {
  endereco: 'o endereço não é público ou não existe',
  conexao: 'o servidor não respondeu',
  tempo: 'o servidor demorou mais de 30 segundos',
  tamanho: 'o calendário tem mais de 30 MB',
  redirecionamentos: 'o endereço redireciona vezes demais',
  formato: 'o endereço não é de um calendário (.ics)',
  incompleto: 'o calendário chegou incompleto',
  repeticoes: 'o calendário tem eventos ou repetições demais',
};

/** `falha`: the stored failure, a kind or `resposta 404`. */
function failureWords(falha: string): string {
  const status = /^resposta (\d+)$/.exec(falha)?.[1];
  return status === undefined
    ? (words[falha] ?? 'houve um erro')
    : `o servidor respondeu com o erro ${status}`;
}
