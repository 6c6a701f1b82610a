import type { ComponentType } from 'react';
import { matchPath } from 'react-router-dom';
import { fetchPart } from '../lib/chunks.js';

type PageModule = Promise<{ default: ComponentType }>;

export type Pages = Readonly<Record<string, () => PageModule>>;

/** Addresses of the trainer's pages. Their code is listed in `trainer-pages.ts`, which the student's area does without. */
const trainerPaths = [
  '/',
  '/agenda',
  '/alunos',
  '/alunos/novo',
  '/alunos/importar',
  '/alunos/edit/:id',
  '/alunos/:id',
  '/financeiro',
  '/financeiro/e-se',
  '/financeiro/recorrentes',
  '/financeiro/extrato',
  '/cobrancas',
  '/planos',
  '/planos/novo',
  '/locais',
  '/locais/novo',
  '/pagadores/:id?',
  '/ajustes',
  '/ajustes/configuracoes',
  '/ajustes/agendamento',
  '/ajustes/reposicao',
  '/ajustes/emitente',
  '/ajustes/pix',
  '/ajustes/whatsapp',
  '/ajustes/conta',
  '/ajustes/seguranca',
  '/ajustes/servicos',
  '/ajustes/servicos/novo',
  '/ajustes/calendario',
  '/ajustes/feriados',
  '/ajustes/politicas',
  '/ajustes/politicas/edit',
  '/ajustes/politicas-info',
  '/ajustes/contratos-termos',
  '/ajustes/contratos-termos/novo',
  '/ajustes/contratos-termos/:id',
  '/ajustes/contratos-termos/:id/editar',
  '/ajustes/contratos-termos/assinaturas/:id',
  '/ajustes/dados',
  '/ajustes/integridade',
  '/notificacoes',
  '/ajustes/notificacoes',
  '/link-publico',
] as const;
export type TrainerPath = (typeof trainerPaths)[number];

const loadTrainerPages = () => import('./trainer-pages.js');

export const trainerPages = Object.fromEntries(
  trainerPaths.map((path) => [path, () => fetchPart(loadTrainerPages).then(({ pages }) => pages[path]())]),
) as Record<TrainerPath, () => PageModule>;

export const studentPages: Pages = {
  '/agenda/:personalId': () => import('./pages/own-booking.js'),
  '/aluno/dados': () => import('../features/accounts/own-data-page.js'),
  '/aluno': () => import('./pages/student-home.js'),
  '/aluno/calendario': () => import('./pages/own-calendar.js'),
  '/aluno/extrato': () => import('./pages/own-statement.js'),
  '/aluno/pagamentos': () => import('../features/receipts/own-payments-page.js'),
  '/aluno/notificacoes': () => import('../features/notifications/notifications-page.js'),
  '/aluno/notificacoes/escolher': () => import('../features/notifications/settings-page.js'),
  '/aluno/contratos': () => import('../features/contracts/own-contracts.js'),
  '/aluno/contratos/:id': () => import('../features/contracts/signable-page.js'),
  '/aluno/conta': () => import('../features/accounts/account-page.js'),
  '/aluno/seguranca': () => import('../features/accounts/security-page.js'),
};

/** Loads the code of a page before it is shown: at the start in parallel with the session, later when the pointer is over its link. */
export async function preloadPage(pathname: string): Promise<void> {
  const all: Pages = { ...trainerPages, ...studentPages };
  const found = Object.entries(all).find(([path]) => matchPath(path, pathname));
  // A failed prefetch is ignored: showing the page tries again.
  if (found) await fetchPart(found[1]).catch(() => undefined);
}
