import { Button } from '@mantine/core';
import { stateZones } from '../../../../backend/modules/locations/postal-codes.api.js';
import { zoneNames, type ZoneName } from '../../../../backend/modules/settings/settings.api.js';
import { useSend } from '../../lib/command.js';
import { formatTime, timeOf } from '../../lib/dates.js';
import { useNow, useZone } from '../../lib/zone.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import { ToldBox } from '../../ui/told-box.js';

const zones: Readonly<Record<string, ZoneName>> = stateZones;

/** Offers the state's time zone where it differs from the agenda's. */
export function ZoneProposal({ uf }: { uf: string }) {
  const current = useZone();
  const { mutateAsync, isPending } = useSend('PUT /settings/timezone');
  const proposed = zones[uf];
  const now = new Date(useNow());
  if (!proposed || timeOf(now, proposed) === timeOf(now, current)) return null;

  const change = () =>
    attempt(async () => {
      await mutateAsync({ fuso_horario: proposed });
      toast.success(
        'Fuso horário salvo',
        takenBack(() => mutateAsync({ fuso_horario: current as ZoneName, se_ainda: proposed })),
      );
    }, 'Erro ao salvar');
  return (
    <ToldBox>
      <p>
        Este endereço fica em outro fuso horário: {zoneNames[proposed]}, onde o relógio marca{' '}
        {formatTime(timeOf(now, proposed))}.
      </p>
      <Button size="sm" variant="default" loading={isPending} onClick={() => void change()}>
        Usar este fuso na agenda
      </Button>
    </ToldBox>
  );
}
