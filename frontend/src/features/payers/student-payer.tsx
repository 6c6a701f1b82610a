import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Payer } from '../../../../backend/modules/payers/payers.api.js';
import type { KnownStudent } from '../../../../backend/modules/students/students.api.js';
import { firstName } from '../../../../backend/platform/first-name.api.js';
import { Card } from '../../ui/card.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Notice } from '../../ui/notice.js';
import { Section } from '../../ui/page.js';
import { Sheet } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import { NewPayerForm } from './payer-form.js';
import { PayerRow } from './payer-row.js';
import classes from './payers.module.css';
import { useChoosePayer, usePayerOf, usePayers } from './payers.queries.js';

interface StudentPayerProps {
  student: Pick<KnownStudent, 'id' | 'nome' | 'responsavel_nome' | 'responsavel_telefone'>;
  /** Nothing can be changed. */
  closed: boolean;
}

/** Who pays for a student. */
export function StudentPayer({ student, closed }: StudentPayerProps) {
  const payer = usePayerOf(student.id);
  const choose = useChoosePayer();
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  const before = payer.data?.pagador ?? null;

  const set = (chosen: Payer | null) =>
    attempt(async () => {
      const [payer_id, antes] = [chosen?.id ?? null, before?.id ?? null];
      await choose.mutateAsync({ id: student.id, payer_id, se_ainda: { payer_id: antes } });
      close();
      toast.success(`${chosen?.nome ?? student.nome} paga por ${chosen ? student.nome : 'si'}`, {
        ...takenBack(() => choose.mutateAsync({ id: student.id, payer_id: antes, se_ainda: { payer_id } })),
        ...(before && { description: 'Quem entra na área do aluno não muda: veja em Acesso do aluno.' }),
      });
    }, 'Erro ao definir quem paga');

  return (
    <Section
      title="Quem paga"
      action={
        !closed && (
          <Button size="sm" variant="subtle" onClick={() => setOpened(true)}>
            {before ? 'Trocar' : 'Definir'}
          </Button>
        )
      }
    >
      <Card flush>
        <Async of={payer} skeleton={<Skeletons count={1} />}>
          {({ pagador }) =>
            pagador ? (
              <PayerRow payer={pagador} to={`/pagadores/${pagador.id}`} />
            ) : (
              <Notice icon="people" title={`${firstName(student.nome)} paga por si`} />
            )
          }
        </Async>
      </Card>
      <Sheet
        opened={opened}
        onClose={close}
        title={`Quem paga por ${student.nome}`}
        beginsAtField="typed"
        withoutAddress
      >
        <Choice student={student} current={before} onChoose={(chosen) => void set(chosen)} onDone={close} />
      </Sheet>
    </Section>
  );
}

interface ChoiceProps extends Pick<StudentPayerProps, 'student'> {
  current: Payer | null;
  onChoose: (payer: Payer | null) => void;
  onDone: () => void;
}

/** Those who pay already; without any, and on request, the form for a new one. */
function Choice({ student, current, onChoose, onDone }: ChoiceProps) {
  const payers = usePayers();
  const [isNew, setNew] = useState(false);
  const form = (onBack?: () => void) => (
    <NewPayerForm
      student={student}
      begun={{ nome: student.responsavel_nome, whatsapp: student.responsavel_telefone }}
      onDone={onDone}
      {...(onBack && { onBack })}
    />
  );
  if (isNew) return form(() => setNew(false));
  return (
    <InfiniteList of={payers} skeleton={<Skeletons count={2} />} empty={form()}>
      {(items) => (
        <div className={classes.choice}>
          <Card flush>
            {items
              .filter(({ id }) => id !== current?.id)
              .map((payer) => (
                <PayerRow key={payer.id} payer={payer} onClick={() => onChoose(payer)} />
              ))}
          </Card>
          <Button variant="light" onClick={() => setNew(true)}>
            Novo pagador
          </Button>
          {current && (
            <Button variant="subtle" onClick={() => onChoose(null)}>
              {firstName(student.nome)} passa a pagar por si
            </Button>
          )}
        </div>
      )}
    </InfiniteList>
  );
}
