import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Visit } from '../../../../backend/modules/public-link/public-link.api.js';
import { useSendTo } from '../../lib/command.js';
import { formatMoment } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Quiet } from '../../ui/quiet.js';
import { Row } from '../../ui/row.js';
import { Sheet } from '../../ui/sheet.js';
import { attempt, toast } from '../../ui/toast.js';
import classes from './public-link.module.css';
import { firstOf, messageTo, whoIn } from './visit-words.js';

interface ConfirmButtonProps {
  visit: Visit;
  icon?: ReactNode;
  children: string;
}

/**
 * Confirms a visitor's booking, and offers to tell the visitor. Asks whose it is where students have the phone, but none of
 * them the name.
 */
export function ConfirmButton({ visit, icon, children }: ConfirmButtonProps) {
  const { id, student_id, inicio, de_quem } = visit;
  const { mutateAsync, isPending } = useSendTo('POST /visits/:id/confirm');
  const [isAsking, setAsking] = useState(false);
  const booker = whoIn(visit);
  const when = formatMoment(inicio, useZone());

  const confirm = (who: string, whose?: { student_id: string }) => {
    if (isPending) return;
    void attempt(async () => {
      await mutateAsync({ id, ...whose });
      setAsking(false);
      const first = firstOf(visit);
      const href = messageTo(visit, `Oi, ${first}! Sua aula de ${when} está confirmada. Até lá!`);
      toast.success('Reserva confirmada', {
        description: `${who}, ${when}`,
        tell: href ? [{ label: `Avisar ${first}`, href }] : [],
      });
    }, 'Erro ao confirmar');
  };

  return (
    <>
      <Button
        loading={isPending}
        leftSection={icon}
        onClick={() => (de_quem.length > 0 ? setAsking(true) : confirm(booker))}
      >
        {children}
      </Button>
      <Sheet
        opened={isAsking}
        onClose={() => setAsking(false)}
        title="De quem é esta reserva?"
        middle
        withoutAddress
      >
        <div className={classes.asked}>
          <Quiet size="sm">
            {booker} reservou {when} com o WhatsApp de{' '}
            {de_quem.length === 1 ? 'outro aluno' : 'outros alunos'}. Os créditos serão de quem você escolher.
          </Quiet>
          <Card flush>
            {de_quem.map((one) => (
              <Row
                key={one.student_id}
                title={one.nome}
                facts={one.inativo && 'Inativo: confirmar reativa'}
                onClick={() => confirm(one.nome, { student_id: one.student_id })}
              />
            ))}
            <Row title={booker} facts="Aluno novo" onClick={() => confirm(booker, { student_id })} />
          </Card>
          {de_quem
            .filter(({ inativo }) => !inativo)
            .map((one) => (
              <Button
                key={one.student_id}
                component={Link}
                to={`/alunos/${one.student_id}?juntar=${student_id}`}
                variant="subtle"
              >
                É a mesma pessoa: juntar com {one.nome}
              </Button>
            ))}
        </div>
      </Sheet>
    </>
  );
}
