import { Button } from '@mantine/core';
import { useState } from 'react';
import type { StrangerList } from '../../../../backend/modules/public-link/public-link.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { formatMoment } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { Consequences } from '../../ui/consequences.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { attempt, toast } from '../../ui/toast.js';
import classes from './public-link.module.css';
import { useForgetStrangers, useStrangers } from './public-link.queries.js';

/** Fewer are declined one by one. */
const BURST = 4;

/** Declines a burst of bookings with invented names at once. */
export function Strangers() {
  const { data } = useStrangers();
  const [opened, setOpened] = useState(false);
  const people = data?.items ?? [];
  if (people.length < BURST && !opened) return null;
  return (
    <>
      <p className={classes.note}>
        {plural(people.length, 'pessoa', 'pessoas')} que você nunca atendeu reservaram pelo link.{' '}
        <Button size="sm" variant="subtle" color="red" onClick={() => setOpened(true)}>
          Recusar todas
        </Button>
      </p>
      <Sheet
        opened={opened}
        onClose={() => setOpened(false)}
        title="Recusar quem você não conhece"
        withoutAddress
      >
        <Preview people={people} onClose={() => setOpened(false)} />
      </Sheet>
    </>
  );
}

function Preview({ people, onClose }: { people: StrangerList['items']; onClose: () => void }) {
  const zone = useZone();
  const { mutateAsync, isPending } = useForgetStrangers();
  const bookings = people.reduce((sum, { reservas }) => sum + reservas.length, 0);
  const forget = () =>
    attempt(async () => {
      const done = await mutateAsync({ student_ids: people.map(({ student_id }) => student_id) });
      onClose();
      toast.success('Reservas recusadas', {
        description: `${plural(done.reservas, 'reserva cancelada', 'reservas canceladas')}, dados de ${plural(done.pessoas, 'pessoa', 'pessoas')} apagados.`,
      });
    }, 'Erro ao recusar');
  return (
    <div className={classes.asked}>
      <Consequences
        warning="Não dá para desfazer: ninguém consegue recuperar os dados."
        items={[
          [
            'Será cancelado',
            `${plural(bookings, 'reserva', 'reservas')} sem confirmação, sem custo: os horários ficam livres. Quem reservou não recebe aviso.`,
          ],
          [
            'Será apagado',
            `Nome, telefone e e-mail de ${plural(people.length, 'pessoa que só reservou', 'pessoas que só reservaram')} pelo link: você nunca confirmou, editou ou anotou nada sobre elas.`,
          ],
          ['Será mantido', 'Reservas que você confirmou e alunos que você já atende.'],
        ]}
      />
      <ul className={classes.people}>
        {people.map(({ student_id, nome, reservas }) => (
          <li key={student_id}>
            {nome}:{' '}
            {reservas.length > 0
              ? reservas.map((at) => formatMoment(at, zone)).join('; ')
              : 'reserva vencida'}
          </li>
        ))}
      </ul>
      <SheetActions onBack={onClose}>
        <Button color="red" onClick={() => void forget()} loading={isPending} disabled={people.length === 0}>
          Recusar e apagar
        </Button>
      </SheetActions>
    </div>
  );
}
