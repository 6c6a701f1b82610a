import { SegmentedControl } from '@mantine/core';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { startTransition, useState } from 'react';

/** Switches between active and inactive items. The switch changes at once, the list once it is rendered. */
export function StandingChoice({ onChoose }: { onChoose: (active: boolean) => void }) {
  const [chosen, setChosen] = useState('ativos');
  const choose = (standing: string) => {
    setChosen(standing);
    startTransition(() => onChoose(standing === 'ativos'));
  };
  return (
    <SegmentedControl
      aria-label="Situação"
      value={chosen}
      onChange={choose}
      data={[
        { value: 'ativos', label: 'Ativos' },
        { value: 'inativos', label: 'Inativos' },
      ]}
    />
  );
}
