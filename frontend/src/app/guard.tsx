import { lazy } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { useAuth } from '../lib/auth.js';
import { whenReachable } from '../lib/chunks.js';
import { Loading } from '../ui/loading.js';
import { Starting } from './starting.js';

export const loadTrainerArea = () => import('./trainer-area.js');
const TrainerArea = lazy(() => whenReachable(loadTrainerArea));
const StudentArea = lazy(() => whenReachable(() => import('./student-area.js')));
const areas = { personal: TrainerArea, aluno: StudentArea };

/** Lets only a signed-in person through; others go to /auth and come back to where they wanted to be. */
export function Guard({ role }: { role: keyof typeof areas }) {
  const state = useAuth();
  const { pathname, search } = useLocation();
  if (state.status === 'loading') return role === 'personal' ? <Starting /> : <Loading />;
  const Area = areas[role];
  if (state.status === 'signed-in') return <Area key={state.userId} userId={state.userId} />;
  const wanted = pathname + search;
  const isNobodys = wanted === '/' || (state.status === 'signed-out' && state.byChoice);
  const destination = isNobodys ? '' : `?${new URLSearchParams({ destino: wanted }).toString()}`;
  return <Navigate to={`/auth${destination}`} replace />;
}
