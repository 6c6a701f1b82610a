import { SegmentedControl, type SegmentedControlProps } from '@mantine/core';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { startTransition, useOptimistic } from 'react';

/**
 * Chooses what the page shows. The choice is marked at once, before the page is rendered; until then, the previous one
 * can be chosen again.
 */
export function PageChoice<Value extends string>({
  value,
  onChange,
  ...rest
}: Omit<SegmentedControlProps<Value>, 'value' | 'onChange'> & {
  value: Value;
  onChange: (value: Value) => void;
}) {
  const [marked, mark] = useOptimistic(value);
  const choose = (next: Value) =>
    startTransition(() => {
      mark(next);
      onChange(next);
    });
  return <SegmentedControl {...rest} value={marked} onChange={choose} />;
}
