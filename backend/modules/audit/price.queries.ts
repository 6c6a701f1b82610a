import { sql } from 'kysely';
import type { Type } from '@nestjs/common';
import { defineQuery, type Reading } from '../../platform/database/define-query.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import type { ForeseesWork } from '../../platform/event-store/define-command.js';
import type { Effect } from '../../platform/event-store/effect.js';
import { FeatureRegistry } from '../../platform/features.js';
import { firstName } from '../../platform/portuguese.js';
import type { Price } from './price.api.js';

/**
 * The price of an undo: its command is rehearsed, and the events that it would record say what they move. `argsOf`: what the
 * command takes, from the ids of the path and the query. `later`: what follows from it without an event of its own, such as a month
 * that is billed again.
 */
export const definePrice = <Asked extends unknown[]>(
  name: string,
  command: { Handler: Type<ForeseesWork> },
  argsOf: (...asked: Asked) => unknown[] = (...asked) => asked,
  later: (reading: Reading, ...asked: Asked) => Promise<string[]> = () => Promise.resolve([]),
) =>
  defineQuery(
    name,
    { undo: command.Handler, features: FeatureRegistry },
    async (reading, { undo, features }, ...asked: Asked): Promise<Price> => {
      const { context, read } = reading;
      const { effects } = features.all;
      const events = await undo.foresee(context, argsOf(...asked));
      const moved = events.flatMap(
        ({ type, data, state }) => effects[type]?.(data as never, state as never) ?? [],
      );
      const students = moved.flatMap(({ student_id }) => student_id ?? []);
      const receitas = moved.flatMap(({ receita }) => receita ?? []);
      const [names, receipts, others] = await Promise.all([
        students.length === 0 ? [] : read(namesOf({ students })),
        receitas.length === 0 ? [] : read(receiptsOf({ receitas })),
        later(reading, ...asked),
      ]);
      const known = new Map(names.map(({ id, nome }) => [id, nome && firstName(nome)]));
      return {
        efeitos: [
          ...inWords(moved, known),
          ...receipts.map(({ numero }) => `o recibo ${numero} fica cancelado`),
          ...others,
        ],
      };
    },
  );

function inWords(moved: readonly Effect[], names: ReadonlyMap<string, string | null>): string[] {
  const kinds = new Set(moved.map(({ kind }) => kind));
  return [...kinds].flatMap((one) => {
    const all = moved.filter(({ kind }) => kind === one);
    const sum = all.reduce((total, { quantidade }) => total + quantidade, 0);
    const [student, ...others] = new Set(all.map(({ student_id }) => student_id));
    const nome = student && others.length === 0 ? (names.get(student) ?? null) : null;
    return sum === 0 ? [] : [all[0]!.texto(sum, nome)];
  });
}

const namesOf = statement((db, { students }: Blanks<{ students: string[] }>) =>
  db
    .selectFrom('students')
    .select(['id', 'nome'])
    .where(sql<boolean>`id = any(${students}::uuid[])`)
    .compile(),
);

const receiptsOf = statement((db, { receitas }: Blanks<{ receitas: string[] }>) =>
  db
    .selectFrom('receipt_entries as e')
    .innerJoin('receipts as r', (join) => sameTenant(join, 'r.id', 'e.receipt_id'))
    .select('r.numero')
    .distinct()
    .where(sql<boolean>`e.id = any(${receitas}::uuid[]) and not e.cancelada`)
    .orderBy('r.numero')
    .compile(),
);
