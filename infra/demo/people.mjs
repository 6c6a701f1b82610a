import { randomBytes, randomInt } from 'node:crypto';

const given = [
  'Adriana',
  'Alice',
  'André',
  'Beatriz',
  'Bruna',
  'Bruno',
  'Camila',
  'Carlos',
  'Cecília',
  'Clara',
  'Daniel',
  'Débora',
  'Diego',
  'Eduardo',
  'Elisa',
  'Fábio',
  'Fernanda',
  'Gabriel',
  'Giovana',
  'Gustavo',
  'Heloísa',
  'Henrique',
  'Igor',
  'Isabela',
  'João',
  'Júlia',
  'Larissa',
  'Leandro',
  'Letícia',
  'Lívia',
  'Lucas',
  'Luísa',
  'Marcelo',
  'Marina',
  'Mateus',
  'Natália',
  'Otávio',
  'Patrícia',
  'Paula',
  'Rafael',
  'Renata',
  'Rodrigo',
  'Sabrina',
  'Sofia',
  'Tatiana',
  'Thiago',
  'Vanessa',
  'Vinícius',
];
const family = [
  'Almeida',
  'Andrade',
  'Araújo',
  'Azevedo',
  'Barbosa',
  'Batista',
  'Braga',
  'Cardoso',
  'Carvalho',
  'Castro',
  'Correia',
  'Costa',
  'Cunha',
  'Dias',
  'Duarte',
  'Farias',
  'Fernandes',
  'Ferraz',
  'Fonseca',
  'Freitas',
  'Gomes',
  'Guimarães',
  'Lacerda',
  'Leal',
  'Lima',
  'Lopes',
  'Macedo',
  'Machado',
  'Martins',
  'Melo',
  'Moraes',
  'Moreira',
  'Nogueira',
  'Paiva',
  'Peixoto',
  'Pinheiro',
  'Prado',
  'Queiroz',
  'Ramos',
  'Rezende',
  'Sales',
  'Siqueira',
  'Teixeira',
  'Viana',
];
const notes = [
  'Prefere treinar cedo.',
  'Hérnia de disco L5-S1: evitar flexão de coluna com carga.',
  'Treina para a meia maratona.',
  'Pós-parto: voltar devagar aos abdominais.',
  'Gosta de treino funcional ao ar livre.',
  'Joelho direito operado em 2023.',
  'Objetivo: ganhar massa.',
  'Pressão alta controlada: medir antes do treino.',
];

/** `count` different invented names. */
export function names(chance, count) {
  const firsts = chance.shuffled(given);
  const lasts = chance.shuffled(family);
  return Array.from(
    { length: count },
    (_, number) => `${firsts[number % firsts.length]} ${lasts[number % lasts.length]} ${chance.of(family)}`,
  );
}

/** The input of a student's registration, without the plan. */
export function student(chance, nome) {
  const address = nome.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll(' ', '.');
  return {
    nome,
    whatsapp: `(11) 9${chance.whole(6000, 9999)}-${chance.whole(1000, 9999)}`,
    email: chance.happens(0.7) ? `${address}@example.com` : null,
    observacoes: chance.happens(0.4) ? chance.of(notes) : null,
  };
}

/** The input of a sign-up; e-mail, password and CPF are different each time. */
export function newAccount(nome) {
  return {
    email: `demo.${randomBytes(4).toString('hex')}@example.com`,
    password: `rende-${randomBytes(5).toString('hex')}`,
    data: { nome, cpf: newCpf(), data_nascimento: '1990-05-17', telefone: '(11) 98888-0000' },
  };
}

/** A random CPF with valid check digits. */
function newCpf() {
  const digits = Array.from({ length: 9 }, () => randomInt(10));
  for (const length of [9, 10]) {
    const sum = digits.reduce((total, digit, at) => total + digit * (length + 1 - at), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join('');
}
