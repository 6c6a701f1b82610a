import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { whenReachable } from '../../lib/chunks.js';
import { useSettings } from './settings.queries.js';

const OnboardingDialog = lazy(() => whenReachable(() => import('./onboarding-dialog.js')));

/** "Configuração Inicial", shown over every page until it is done; then opens the dashboard with the first steps. */
export function Onboarding({ onSignOut }: { onSignOut: () => void }) {
  const { data } = useSettings();
  const [finishing, setFinishing] = useState(false);
  const navigate = useNavigate();
  const needed = data?.completed_at === null;
  if (!needed && !finishing) return null;
  return (
    <Suspense>
      <OnboardingDialog
        onSaved={() => setFinishing(true)}
        onClose={() => {
          setFinishing(false);
          void navigate('/');
        }}
        onSignOut={onSignOut}
      />
    </Suspense>
  );
}
