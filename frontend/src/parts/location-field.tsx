import { Button, NativeSelect } from '@mantine/core';
import type { ChoiceFieldProps } from '../ui/choice.js';
import { Icon } from '../ui/icon.js';
import classes from './location-field.module.css';
import { useLocationChoices } from './location-choices.js';

/** Chooses a location. An inactive one is offered only while it is the choice. */
export function LocationField({ value, onChange, onNew, ...props }: ChoiceFieldProps) {
  const { data } = useLocationChoices();
  const locations = (data?.items ?? []).filter((location) => location.is_active || location.id === value);
  return (
    <div className={classes.field}>
      <NativeSelect
        {...props}
        className={classes.select}
        value={value ?? ''}
        onChange={(event) => onChange?.(event.currentTarget.value || null)}
        data={[
          { value: '', label: 'Sem local' },
          ...locations.map(({ id, nome }) => ({ value: id, label: nome })),
        ]}
      />
      {onNew && (
        <Button
          variant="default"
          className={classes.new}
          onClick={() => onNew('')}
          aria-label="Cadastrar local"
          leftSection={<Icon name="plus" size={18} />}
        >
          Novo
        </Button>
      )}
    </div>
  );
}
