import { Button, Checkbox, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { useState } from 'react';
import { type Contract, LINK_DAYS } from '../../../../backend/modules/contracts/contracts.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { Quiet } from '../../ui/quiet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { attempt, toast } from '../../ui/toast.js';
import { useRecipients, useSendContract } from './contracts.queries.js';
import classes from './contracts.module.css';
import { SendingNotes } from './sending-notes.js';
import { SendingFields, type SendingTerms } from './sending-fields.js';
import { sentInWords } from './sending-words.js';

interface SendSheetProps {
  contract: Contract;
  opened: boolean;
  onClose: () => void;
}

/** Chooses the recipients of a contract and how it is sent. */
export function SendSheet({ contract, opened, onClose }: SendSheetProps) {
  return (
    <Sheet opened={opened} onClose={onClose} title="Enviar para assinar" withoutAddress>
      {opened && <Recipients contract={contract} onDone={onClose} />}
    </Sheet>
  );
}

function Recipients({ contract, onDone }: { contract: Contract; onDone: () => void }) {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [all, setAll] = useState(false);
  const [terms, setTerms] = useState<SendingTerms>({ canal: 'link', prazo_dias: LINK_DAYS });
  const recipients = useRecipients(search);
  const needsAddress = terms.canal === 'email' || contract.codigo_email;
  const { mutateAsync, isPending } = useSendContract(contract.id);

  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  const send = () =>
    attempt(async () => {
      const alunos = all ? ('todos' as const) : [...chosen];
      const { title, description, isSent } = sentInWords(await mutateAsync({ alunos, ...terms }));
      toast[isSent ? 'success' : 'info'](title, { description });
      onDone();
    }, 'Erro ao enviar contrato');

  return (
    <div className={classes.stack}>
      <SendingFields terms={terms} onChange={setTerms} />
      <Checkbox
        classNames={{ body: classes.check! }}
        label="Todos os alunos ativos"
        checked={all}
        onChange={({ currentTarget }) => setAll(currentTarget.checked)}
      />
      {!all && (
        <>
          <TextInput
            label="Buscar aluno"
            value={search}
            onChange={({ currentTarget }) => setSearch(currentTarget.value)}
            autoComplete="off"
          />
          <Async of={recipients} skeleton={<Skeletons count={3} height={44} />}>
            {({ items }) => (
              <div role="group" aria-label="Alunos">
                {items.map(({ id, nome, email }) => (
                  <Checkbox
                    key={id}
                    classNames={{ body: classes.check! }}
                    label={nome}
                    description={needsAddress && !email && 'Sem e-mail no cadastro'}
                    checked={chosen.has(id)}
                    onChange={({ currentTarget }) => choose(id, currentTarget.checked)}
                  />
                ))}
                {items.length === 0 && <Quiet size="sm">Nenhum aluno encontrado</Quiet>}
              </div>
            )}
          </Async>
        </>
      )}
      <SendingNotes contractId={contract.id} alunos={all ? 'todos' : [...chosen]} />
      <Quiet size="sm">Quem tem conta vê o contrato também na própria área.</Quiet>
      <SheetActions>
        <Button onClick={() => void send()} loading={isPending} disabled={!all && chosen.size === 0}>
          {all
            ? 'Enviar a todos'
            : chosen.size === 0
              ? 'Escolha os alunos'
              : `Enviar para ${plural(chosen.size, 'aluno', 'alunos')}`}
        </Button>
      </SheetActions>
    </div>
  );
}
