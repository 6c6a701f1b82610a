import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { useState } from 'react';
import {
  type Contract,
  LINK_DAYS,
  linkDays,
  type Sending,
} from '../../../../backend/modules/contracts/contracts.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { Async, Skeletons } from '../../ui/states.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { attempt, toast } from '../../ui/toast.js';
import { useRecipients, useSendContract } from './contracts.queries.js';
import classes from './contracts.module.css';

interface SendSheetProps {
  contract: Contract;
  opened: boolean;
  onClose: () => void;
}

/** To whom a contract goes, and how. */
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
  const [canal, setCanal] = useState<Sending['canal']>('link');
  const [prazo_dias, setDays] = useState<Sending['prazo_dias']>(LINK_DAYS);
  const recipients = useRecipients(search);
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
      const { enviados, ja_assinados } = await mutateAsync({ alunos, canal, prazo_dias });
      toast.success(`Enviado para ${plural(enviados, 'aluno', 'alunos')}`, {
        description:
          ja_assinados > 0
            ? `${plural(ja_assinados, 'aluno já assinou', 'alunos já assinaram')}.`
            : undefined,
      });
      onDone();
    }, 'Erro ao enviar contrato');

  return (
    <div className={classes.stack}>
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
                {items.map(({ id, nome }) => (
                  <Checkbox
                    key={id}
                    classNames={{ body: classes.check! }}
                    label={nome}
                    checked={chosen.has(id)}
                    onChange={({ currentTarget }) => choose(id, currentTarget.checked)}
                  />
                ))}
                {items.length === 0 && <p className={classes.note}>Nenhum aluno encontrado</p>}
              </div>
            )}
          </Async>
        </>
      )}
      <NativeSelect
        label="Como"
        value={canal}
        onChange={({ currentTarget }) => setCanal(currentTarget.value as Sending['canal'])}
        data={[
          { value: 'link', label: 'WhatsApp ou link' },
          { value: 'email', label: 'E-mail' },
        ]}
        description={
          canal === 'link'
            ? 'Depois de enviar, abra o WhatsApp de cada aluno com a mensagem pronta.'
            : 'Vai para o e-mail do cadastro. O link também fica disponível aqui.'
        }
      />
      <NativeSelect
        label="Prazo para assinar"
        value={String(prazo_dias)}
        onChange={({ currentTarget }) => setDays(Number(currentTarget.value) as Sending['prazo_dias'])}
        data={linkDays.map((days) => ({ value: String(days), label: `${days} dias` }))}
        description="Quem já recebeu esta versão é lembrado e mantém o prazo que tinha."
      />
      <p className={classes.note}>Quem tem conta vê o contrato também na própria área.</p>
      <SheetActions>
        <Button onClick={() => void send()} loading={isPending} disabled={!all && chosen.size === 0}>
          {all ? 'Enviar a todos' : `Enviar para ${plural(chosen.size, 'aluno', 'alunos')}`}
        </Button>
      </SheetActions>
    </div>
  );
}
