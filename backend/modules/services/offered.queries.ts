import { sql } from 'kysely';
import type { Offered } from './service.js';

/** The services that are offered to visitors or to students, by name, as JSON. */
export const offeredTo = (whom: 'na_pagina' | 'para_alunos') => sql<Offered[]>`coalesce((
    select json_agg(json_build_object('id', id, 'nome', nome, 'duracao_min', duracao_min, 'valor', valor,
      'usa_credito', usa_credito, 'cor', cor, 'locais', locais, 'endereco', endereco) order by busca, id)
    from services where status = 'existing' and is_active and ${sql.ref(whom)}), '[]')`;

/** The address of the meeting that the session `s` agreed to; null where it is not held online. */
export const agreedAddress = sql<string | null>`s.servico ->> 'endereco'`;
