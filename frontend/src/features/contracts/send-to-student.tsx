import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { type ContractSummary, LINK_DAYS } from '../../../../backend/modules/contracts/contracts.api.js';
import { Notice } from '../../ui/notice.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt, toast } from '../../ui/toast.js';
import { useContractChoices, useSendContract } from './contracts.queries.js';
import classes from './contracts.module.css';
import { SendingNotes } from './sending-notes.js';
import { SendingFields, type SendingTerms } from './sending-fields.js';

interface SendToStudentProps {
  studentId: string;
  opened: boolean;
  onClose: () => void;
}

/** Chooses the contract to send to one student and how it is sent. */
export default function SendToStudent({ studentId, opened, onClose }: SendToStudentProps) {
  return (
    <Sheet opened={opened} onClose={onClose} title="Enviar contrato" withoutAddress>
      {opened && <Choices studentId={studentId} onDone={onClose} />}
    </Sheet>
  );
}

interface ChoicesProps {
  studentId: string;
  onDone: () => void;
}

function Choices(props: ChoicesProps) {
  return (
    <Async
      of={useContractChoices()}
      skeleton={<Skeletons count={3} height={64} />}
      failure="Erro ao carregar contratos"
    >
      {({ items }) =>
        items.length === 0 ? (
          <Notice
            icon="shield"
            title="Você ainda não tem contratos"
            action={
              <Button component={Link} to="/ajustes/contratos-termos/novo">
                Criar o primeiro contrato
              </Button>
            }
          >
            Comece por um modelo pronto, ajuste o texto e envie.
          </Notice>
        ) : (
          <Choice contracts={items} {...props} />
        )
      }
    </Async>
  );
}

interface ChoiceProps extends ChoicesProps {
  contracts: readonly ContractSummary[];
}

function Choice({ contracts, studentId, onDone }: ChoiceProps) {
  const [id, setId] = useState(contracts[0]!.id);
  const [terms, setTerms] = useState<SendingTerms>({ canal: 'link', prazo_dias: LINK_DAYS });
  const { mutateAsync, isPending } = useSendContract(id);
  const navigate = useNavigate();
  const send = () =>
    attempt(async () => {
      const { enviados, sem_email, retidos, retido_por } = await mutateAsync({
        alunos: [studentId],
        ...terms,
      });
      if (enviados === 0) toast.info('O aluno já assinou este contrato');
      else if (sem_email > 0)
        toast.info('O aluno não tem e-mail no cadastro', {
          description: 'O link está pronto: envie pelo WhatsApp.',
        });
      else if (retidos > 0)
        toast.info('O e-mail não foi enviado', {
          description: `${retido_por} O link está pronto.`,
        });
      else toast.success('Contrato enviado');
      // Opens the request, which has the link and the message for WhatsApp.
      if (enviados > 0 && (terms.canal === 'link' || sem_email + retidos > 0))
        void navigate(`/ajustes/contratos-termos/${id}`);
      else onDone();
    }, 'Erro ao enviar contrato');
  return (
    <div className={classes.stack}>
      <NativeSelect
        label="Contrato"
        value={id}
        onChange={({ currentTarget }) => setId(currentTarget.value)}
        data={contracts.map(({ id, titulo, versao }) => ({
          value: id,
          label: `${titulo} (versão ${versao})`,
        }))}
      />
      <SendingFields terms={terms} onChange={setTerms} />
      <SendingNotes contractId={id} alunos={[studentId]} />
      <SheetActions>
        <Button onClick={() => void send()} loading={isPending}>
          Enviar contrato
        </Button>
      </SheetActions>
    </div>
  );
}
