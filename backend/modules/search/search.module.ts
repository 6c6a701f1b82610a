import { Module } from '@nestjs/common';
import { serve } from '../../platform/http/serve.js';
import { searchApi, type SearchQuery, type SearchResults } from './search.api.js';
import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { searchable } from '../../platform/searchable.api.js';
import { searchedFor } from '../students/students.queries.js';

const SearchEverything = defineQuery(
  'SearchEverything',
  async ({ now, report }, { q, limit }: SearchQuery): Promise<SearchResults> => {
    const [found] = await report(holding({ term: searchedFor(q), words: searchable(q), now, limit }));
    const { alunos, sessoes, tarefas } = found!;
    return {
      alunos: alunos.map(({ id, nome, telefone, whatsapp, status }) => ({
        id,
        nome: nome!,
        telefone,
        whatsapp,
        arquivado: status === 'archived',
      })),
      sessoes: sessoes.map(({ student_nome, inicio, status, ...session }) => ({
        ...session,
        student_nome: student_nome!,
        inicio: new Date(inicio).toISOString(),
        status: status as SearchResults['sessoes'][number]['status'],
      })),
      tarefas: tarefas.map(({ titulo, ...task }) => ({ ...task, titulo: titulo! })),
    };
  },
);

interface Looked {
  /** Search term for names and phones. */
  term: string;
  /** Search term for tasks: the typed text, even if it is a number. */
  words: string;
  now: Date;
  limit: number;
}

const holding = statement((db, { term, words, now, limit }: Blanks<Looked>) => {
  const students = db
    .selectFrom('students')
    .select(['id', 'nome', 'telefone', 'whatsapp', 'status'])
    .where('status', 'in', ['active', 'archived'])
    .where('nome', 'is not', null)
    .where(sql<boolean>`strpos(busca, ${term}) > 0`)
    .orderBy('status')
    .orderBy(sql`strpos(busca, ${term}) > 1`)
    .orderBy('busca')
    .orderBy('id')
    .limit(limit);
  const sessions = db
    .selectFrom('sessions as s')
    .innerJoin('students as st', (join) => sameTenant(join, 'st.id', 's.student_id'))
    .leftJoin('locations as l', (join) => sameTenant(join, 'l.id', 's.location_id'))
    .select(['s.id', 'st.nome as student_nome', 'l.nome as location_nome', 's.inicio', 's.status'])
    .where(sql<boolean>`not s.deleted`)
    .where('st.nome', 'is not', null)
    .where(sql<boolean>`strpos(st.busca, ${term}) > 0`)
    .orderBy(sql`s.inicio < ${now}::timestamptz or s.status = 'cancelada'`)
    .orderBy(sql`abs(extract(epoch from s.inicio - ${now}::timestamptz))`)
    .orderBy('s.id')
    .limit(limit);
  const tasks = db
    .selectFrom('tasks')
    .select(['id', 'titulo', 'data_vencimento', 'hora'])
    .select(sql<boolean>`concluida_em is not null`.as('concluida'))
    .where(sql<boolean>`not deleted`)
    .where('titulo', 'is not', null)
    .where(sql<boolean>`strpos(busca, ${words}) > 0`)
    .orderBy(sql`concluida_em is not null`)
    .orderBy('data_vencimento')
    .orderBy('ordem')
    .orderBy('id')
    .limit(limit);
  return db
    .selectNoFrom([
      jsonArrayFrom(students).as('alunos'),
      jsonArrayFrom(sessions).as('sessoes'),
      jsonArrayFrom(tasks).as('tarefas'),
    ])
    .compile();
});

@Module(serve(searchApi, { search: SearchEverything }))
export class SearchModule {}
