import { useState } from 'react';
import type { ListedStudent } from '../../../../backend/modules/students/students.api.js';
import { LongTextField } from '../../ui/long-text-field.js';
import { MessageCard } from '../../ui/message-card.js';
import classes from './select-students.module.css';

const NAME = '{nome}';
const MOST = 1000;

/** One text for many, with each first name in it, ready to be sent one after the other. */
export function MessageStudents({ students }: { students: readonly ListedStudent[] }) {
  const [text, setText] = useState(`Oi, ${NAME}! `);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  return (
    <div className={classes.messages}>
      <LongTextField
        label="Mensagem"
        description={`${NAME} vira o primeiro nome de cada aluno.`}
        minRows={3}
        maxLength={MOST}
        value={text}
        onChange={setText}
      />
      {students.map(({ id, nome, whatsapp, telefone }) => {
        const phone = whatsapp ?? telefone;
        const said = text.replaceAll(NAME, nome.split(' ')[0] ?? nome);
        return (
          <MessageCard
            key={id}
            name={nome}
            fact={opened.has(id) ? 'Aberta' : ''}
            text={said}
            link={phone && `https://wa.me/${phone.replace(/\D/g, '')}?text=${encodeURIComponent(said)}`}
            onOpen={() => setOpened(new Set(opened).add(id))}
          />
        );
      })}
    </div>
  );
}
