import { lazy } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { useAuth } from '../lib/auth.js';
import { whenReachable } from '../lib/chunks.js';
import { Starting } from './starting.js';

export const loadTrainerArea = () => import('./trainer-area.js');
export const loadStudentArea = () => import('./student-area.js');
const TrainerArea = lazy(() => whenReachable(loadTrainerArea));
const StudentArea = lazy(() => whenReachable(loadStudentArea));
const AnyArea = lazy(() => whenReachable(() => import('./any-area.js')));
const areas = { personal: TrainerArea, aluno: StudentArea };

/**
 * Shows its pages to signed-in users only; others are sent to /auth and return to the requested address afterwards. `role` null:
 * pages for every role, shown in the area of the signed-in user.
 */
export function Guard({ role }: { role: keyof typeof areas | null }) {
  const state = useAuth();
  const { pathname, search } = useLocation();
  if (state.status === 'loading') return <Starting />;
  const Area = role ? areas[role] : AnyArea;
  if (state.status === 'signed-in') return <Area key={state.userId} userId={state.userId} />;
  if (!role) return <Outlet />;
  const wanted = pathname + search;
  const isNobodys = wanted === '/' || (state.status === 'signed-out' && state.byChoice);
  if (isNobodys) return <Navigate to={role === 'aluno' ? '/auth?de=aluno' : '/auth'} replace />;
  return <Navigate to={`/auth?${new URLSearchParams({ destino: wanted })}`} replace />;
}
