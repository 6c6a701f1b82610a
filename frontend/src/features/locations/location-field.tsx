import { NativeSelect } from '@mantine/core';
import type { ChoiceFieldProps } from '../../ui/choice.js';
import { useLocationChoices } from './locations.queries.js';

/** Chooses a location. An inactive one is offered only while it is the choice. */
export function LocationField({ value, onChange, ...props }: ChoiceFieldProps) {
  const { data } = useLocationChoices();
  const locations = (data?.items ?? []).filter((location) => location.is_active || location.id === value);
  return (
    <NativeSelect
      {...props}
      value={value ?? ''}
      onChange={(event) => onChange?.(event.currentTarget.value || null)}
      data={[
        { value: '', label: 'Sem local' },
        ...locations.map(({ id, nome }) => ({ value: id, label: nome })),
      ]}
    />
  );
}
