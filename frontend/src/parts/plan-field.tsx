import { plural } from '../../../backend/platform/plural.api.js';
import { NativeSelect } from '@mantine/core';
import type { ChoiceFieldProps } from '../ui/choice.js';
import { usePlanChoices } from './plan-choices.js';

/** Chooses a plan: '{name} - {credits} créditos'. An inactive one is offered only while it is the choice. */
export function PlanField({ value, onChange, ...props }: ChoiceFieldProps) {
  const { data } = usePlanChoices();
  const plans = (data?.items ?? []).filter((plan) => plan.is_active || plan.id === value);
  return (
    <NativeSelect
      {...props}
      value={value ?? ''}
      onChange={(event) => onChange?.(event.currentTarget.value || null)}
      data={[
        { value: '', label: 'Sem plano' },
        ...plans.map(({ id, nome, creditos }) => ({
          value: id,
          label: `${nome} - ${plural(creditos, 'crédito', 'créditos')}`,
        })),
      ]}
    />
  );
}
