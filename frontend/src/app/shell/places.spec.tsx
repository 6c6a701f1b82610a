import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { matchPath } from 'react-router-dom';
import { studentPages, trainerPages } from '../pages.js';
import { actions, pages } from './places.js';

/** The protected routes of the two tables of the specification, section 2. */
const SPECIFIED = (
  '/ /agenda /alunos /alunos/novo /alunos/edit/1 /planos /planos/novo /locais /locais/novo /financeiro /ajustes ' +
  '/ajustes/politicas /ajustes/politicas/edit /ajustes/politicas-info /ajustes/contratos-termos ' +
  '/ajustes/configuracoes /link-publico /aluno /agenda/1'
).split(' ');

it('every route of the specification has a page', () => {
  const pages = Object.keys({ ...trainerPages, ...studentPages });
  expect(SPECIFIED.filter((route) => !pages.some((path) => matchPath(path, route)))).toEqual([]);
});

/** What opens a sheet of the trainer by its address: `novo=…`, and the panels of the agenda. */
const SHEET = /get\('novo'\) === '(\w+)'|opened === '(\w+)'|\{ name: '(\w+)', title: /g;

it('the search over everything finds every page and every sheet that has an address', () => {
  const found = [...pages, ...actions].map(({ to }) => to);
  expect(new Set(found).size).toBe(found.length);
  const paths = Object.keys(trainerPages).filter((path) => !/:|politicas\/edit/.test(path));
  expect(paths.filter((path) => !found.includes(path))).toEqual([]);
  const sources = ['features/agenda', 'features/availability', 'features/charges', 'features/finance']
    .concat('features/tasks', 'app/pages')
    .flatMap((folder) =>
      readdirSync(`frontend/src/${folder}`).map((name) => `frontend/src/${folder}/${name}`),
    )
    .filter((name) => /(?<!spec)\.tsx$/.test(name));
  const sheets = sources.flatMap((name) =>
    [...readFileSync(name, 'utf8').matchAll(SHEET)].map((match) => match.slice(1).find(Boolean)!),
  );
  expect(sheets).toEqual(expect.arrayContaining(['agendamento', 'cobranca', 'ferias', 'lembretes']));
  expect(sheets.filter((sheet) => !found.some((to) => to.endsWith(`=${sheet}`)))).toEqual([]);
});
