import { Switch } from '@mantine/core';
import { useEffect, useState } from 'react';
import { type PushState, pushState, startPush, stopPush } from '../../lib/push.js';
import { Card } from '../../ui/card.js';
import { Section } from '../../ui/page.js';
import { attempt } from '../../ui/toast.js';

const why: Record<PushState, string> = {
  unsupported:
    'Este navegador não mostra notificações. No iPhone, adicione o Rende à Tela de Início e abra por ela.',
  blocked: 'As notificações do Rende estão bloqueadas neste navegador. Libere nas configurações do site.',
  off: 'Aparecem mesmo com o Rende fechado.',
  on: 'Aparecem mesmo com o Rende fechado.',
};

/** Switches notifications on this browser on and off. */
export function ThisDevice({ userId }: { userId: string }) {
  const [state, setState] = useState<PushState | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    void pushState(userId).then(setState);
  }, [userId]);

  const change = async (wanted: boolean) => {
    setBusy(true);
    const failure = wanted
      ? 'Não foi possível ativar as notificações neste aparelho'
      : 'Não foi possível desativar as notificações neste aparelho';
    await attempt(async () => {
      if (wanted) return setState(await startPush(userId));
      await stopPush();
      setState('off');
    }, failure);
    setBusy(false);
  };
  return (
    <Section title="Neste aparelho">
      <Card fields>
        <Switch
          label="Mostrar notificações"
          description={why[state ?? 'off']}
          checked={state === 'on'}
          disabled={busy || state === null || state === 'unsupported' || state === 'blocked'}
          onChange={(event) => void change(event.currentTarget.checked)}
        />
      </Card>
    </Section>
  );
}
