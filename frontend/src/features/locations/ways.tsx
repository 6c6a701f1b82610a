import { Input, TextInput } from '@mantine/core';
import { useLocationChoices } from '../../parts/location-choices.js';

/** The server's limit. */
const MOST_MINUTES = 240;

interface WaysProps {
  /** Id of the location; undefined for a new one. */
  from?: string;
  /** Field values by id of the other location. */
  minutes: Readonly<Record<string, string>>;
  onChange: (minutes: Record<string, string>) => void;
}

/** Fields for the travel times to the other locations. */
export function Ways({ from, minutes, onChange }: WaysProps) {
  const others = useLocationChoices().data?.items.filter(
    ({ id, is_active }) => id !== from && (is_active || minutes[id]),
  );
  if (!others || others.length === 0) return null;
  return (
    <Input.Wrapper
      label="Tempo de deslocamento"
      labelElement="div"
      description="Em minutos. Alunos e visitantes só veem horários em que dá tempo de chegar."
    >
      {others.map(({ id, nome }) => (
        <TextInput
          key={id}
          mt={8}
          label={`Até ${nome}`}
          inputMode="numeric"
          autoComplete="off"
          maxLength={3}
          value={minutes[id] ?? ''}
          onChange={({ currentTarget }) =>
            onChange({ ...minutes, [id]: currentTarget.value.replace(/\D/g, '') })
          }
          error={Number(minutes[id] ?? 0) > MOST_MINUTES && 'Use no máximo 240 minutos'}
        />
      ))}
    </Input.Wrapper>
  );
}
