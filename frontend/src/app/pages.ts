import type { ComponentType } from 'react';
import { matchPath } from 'react-router-dom';
import { fetchPart } from '../lib/chunks.js';

type PageModule = Promise<{ default: ComponentType }>;

export type Pages = Readonly<Record<string, () => PageModule>>;

/** The trainer's pages. Those in `pages/` combine several features; the others belong to one feature. */
export const trainerPages = {
  '/': () => import('./pages/dashboard.js'),
  '/agenda': () => import('./pages/agenda.js'),
  '/alunos': () => import('./pages/students.js'),
  '/alunos/novo': () => import('./pages/new-student.js'),
  '/alunos/importar': () => import('./pages/import-students.js'),
  '/alunos/edit/:id': () => import('./pages/edit-student.js'),
  '/alunos/:id': () => import('./pages/student.js'),
  '/financeiro': () => import('./pages/finance.js'),
  '/financeiro/recorrentes': () => import('./pages/recurring-expenses.js'),
  '/financeiro/extrato': () => import('./pages/statement.js'),
  '/cobrancas': () => import('./pages/charges.js'),
  '/planos': () => import('../features/plans/plans-page.js'),
  '/planos/novo': () => import('./pages/new-plan.js'),
  '/locais': () => import('../features/locations/locations-page.js'),
  '/locais/novo': () => import('../features/locations/new-location-page.js'),
  '/ajustes': () => import('./pages/settings.js'),
  '/ajustes/configuracoes': () => import('./pages/goals.js'),
  '/ajustes/agendamento': () => import('../features/student-area/booking-settings-page.js'),
  '/ajustes/reposicao': () => import('../features/credits/make-up-page.js'),
  '/ajustes/emitente': () => import('../features/receipts/issuer-page.js'),
  '/ajustes/pix': () => import('./pages/pix.js'),
  '/ajustes/conta': () => import('./pages/account.js'),
  '/ajustes/seguranca': () => import('./pages/security.js'),
  '/ajustes/calendario': () => import('./pages/calendar.js'),
  '/ajustes/feriados': () => import('../features/availability/holidays-page.js'),
  '/ajustes/politicas': () => import('./pages/policies.js'),
  '/ajustes/politicas/edit': () => import('./pages/edit-policy.js'),
  '/ajustes/politicas-info': () => import('../features/general-terms/general-terms-page.js'),
  '/ajustes/contratos-termos': () => import('../features/contracts/contracts-page.js'),
  '/ajustes/contratos-termos/novo': () => import('../features/contracts/new-contract-page.js'),
  '/ajustes/contratos-termos/:id': () => import('./pages/contract.js'),
  '/ajustes/contratos-termos/:id/editar': () => import('../features/contracts/edit-contract-page.js'),
  '/ajustes/contratos-termos/assinaturas/:id': () => import('../features/contracts/signed-copy-page.js'),
  '/ajustes/dados': () => import('./pages/own-data.js'),
  '/notificacoes': () => import('./pages/notifications.js'),
  '/ajustes/notificacoes': () => import('./pages/notification-settings.js'),
  '/link-publico': () => import('./pages/public-link.js'),
} satisfies Pages;

export const studentPages: Pages = {
  '/agenda/:personalId': () => import('./pages/own-booking.js'),
  '/aluno/dados': () => import('./pages/own-data.js'),
  '/aluno': () => import('./pages/student-home.js'),
  '/aluno/calendario': () => import('./pages/own-calendar.js'),
  '/aluno/extrato': () => import('../features/credits/own-statement-page.js'),
  '/aluno/pagamentos': () => import('../features/receipts/own-payments-page.js'),
  '/aluno/notificacoes': () => import('./pages/own-notifications.js'),
  '/aluno/notificacoes/escolher': () => import('./pages/own-notification-settings.js'),
  '/aluno/contratos': () => import('../features/contracts/own-contracts-page.js'),
  '/aluno/contratos/:id': () => import('../features/contracts/own-contract-page.js'),
  '/aluno/conta': () => import('./pages/account.js'),
  '/aluno/seguranca': () => import('./pages/security.js'),
};

/** Loads the code of a page before it is shown: at the start in parallel with the session, later when the pointer is over its link. */
export async function preloadPage(pathname: string): Promise<void> {
  const all: Pages = { ...trainerPages, ...studentPages };
  const found = Object.entries(all).find(([path]) => matchPath(path, pathname));
  // A failed prefetch is ignored: showing the page tries again.
  if (found) await fetchPart(found[1]).catch(() => undefined);
}
