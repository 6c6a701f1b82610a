import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useSettings } from './settings.queries.js';

const OnboardingDialog = lazy(() => import('./onboarding-dialog.js'));

interface OnboardingProps {
  /** Names what was answered so far in this browser. */
  tenantId: string;
  onSignOut: () => void;
}

/** "Configuração Inicial", over every page until it is done; then the settings that it filled are shown. */
export function Onboarding({ tenantId, onSignOut }: OnboardingProps) {
  const { data } = useSettings();
  const [finishing, setFinishing] = useState(false);
  const navigate = useNavigate();
  const needed = data?.completed_at === null;
  if (!needed && !finishing) return null;
  return (
    <Suspense>
      <OnboardingDialog
        tenantId={tenantId}
        onSaved={() => setFinishing(true)}
        onClose={() => {
          setFinishing(false);
          void navigate('/ajustes/configuracoes');
        }}
        onSignOut={onSignOut}
      />
    </Suspense>
  );
}
