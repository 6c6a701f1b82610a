import { Button } from '@mantine/core';
import type { CreditStatement } from '../../../../backend/modules/credits/credits.api.js';
import { useSendTo } from '../../lib/command.js';
import { StudentField } from '../../parts/student-field.js';
import { useStudentName } from '../../parts/students.queries.js';
import { Card } from '../../ui/card.js';
import { Quiet } from '../../ui/quiet.js';
import { Row } from '../../ui/row.js';
import { Sheet } from '../../ui/sheet.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import classes from './credits.module.css';

interface ShareSheetProps {
  studentId: string;
  divisao: CreditStatement['divisao'];
  opened: boolean;
  onClose: () => void;
}

/** With whom a student's credits are shared: of one who uses another's, with whom that ends; else who else uses these. */
export function ShareSheet({ studentId, divisao: { usa, com }, opened, onClose }: ShareSheetProps) {
  const { mutateAsync } = useSendTo('PUT /students/:id/credits/sharing');
  const nameOf = useStudentName();
  const set = (id: string, dono_id: string | null, antes: string | null) =>
    attempt(async () => {
      await mutateAsync({ id, dono_id, se_ainda: { dono_id: antes } });
      onClose();
      const undo = takenBack(() => mutateAsync({ id, dono_id: antes, se_ainda: { dono_id } }));
      if (dono_id === null) toast.success('Os créditos não são mais divididos', undo);
      else
        toast.success('Créditos divididos', {
          description: `${nameOf(id) ?? 'O outro aluno'} também usa os créditos de ${nameOf(dono_id) ?? 'quem os comprou'}.`,
          ...undo,
        });
    }, 'Erro ao dividir créditos');
  const pairs = usa
    ? [{ ...usa, student: studentId, dono: usa.id }]
    : com.map((one) => ({ ...one, student: one.id, dono: studentId }));
  return (
    <Sheet
      opened={opened}
      onClose={onClose}
      title="Dividir créditos"
      beginsAtField="typed"
      middle
      withoutAddress
    >
      <div className={classes.rules}>
        <Quiet size="sm">
          {usa
            ? 'Este aluno usa os créditos abaixo depois dos próprios.'
            : 'Quem você escolher usa estes créditos depois dos próprios. Validade, pausas, renovação e avisos continuam com este aluno. O pacote é do outro? Comece pelo extrato dele.'}
        </Quiet>
        {pairs.length > 0 && (
          <Card flush>
            {pairs.map(({ id, nome, student, dono }) => (
              <Row
                key={id}
                to={`/alunos/${id}?aba=extrato`}
                title={nome ?? 'Aluno apagado'}
                actions={
                  <Button size="sm" variant="subtle" onClick={() => void set(student!, null, dono)}>
                    Deixar de dividir
                  </Button>
                }
              />
            ))}
          </Card>
        )}
        {!usa && (
          <StudentField
            label="Dividir com"
            value={null}
            except={[studentId, ...com.map(({ id }) => id!)]}
            onChange={(id) => id && void set(id, studentId, null)}
          />
        )}
      </div>
    </Sheet>
  );
}
