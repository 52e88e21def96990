// A bank and an inventory: classes with private fields, accessors, statics and errors.

class Money {
  #cents;
  constructor(cents) {
    this.#cents = cents;
  }
  static of(amount) {
    return new Money(Math.round(amount * 100));
  }
  get cents() {
    return this.#cents;
  }
  plus(other) {
    return new Money(this.#cents + other.#cents);
  }
  minus(other) {
    if (other.#cents > this.#cents) throw new RangeError("not enough money");
    return new Money(this.#cents - other.#cents);
  }
  times(factor) {
    return new Money(Math.round(this.#cents * factor));
  }
  toString() {
    return `$${(this.#cents / 100).toFixed(2)}`;
  }
}

class Account {
  static count = 0;
  history = [];
  constructor(owner, balance = Money.of(0)) {
    Account.count++;
    this.owner = owner;
    this.balance = balance;
  }
  deposit(money) {
    this.balance = this.balance.plus(money);
    this.history.push({ type: "deposit", money });
    return this;
  }
  withdraw(money) {
    this.balance = this.balance.minus(money);
    this.history.push({ type: "withdrawal", money });
    return this;
  }
}

class SavingsAccount extends Account {
  constructor(owner, rate) {
    super(owner);
    this.rate = rate;
  }
  addInterest() {
    return this.deposit(this.balance.times(this.rate));
  }
}

class Shape {
  area() {
    return 0;
  }
  describe() {
    return `${this.constructor.name} of ${this.area().toFixed(1)}`;
  }
}
class Circle extends Shape {
  constructor(radius) {
    super();
    this.radius = radius;
  }
  area() {
    return Math.PI * this.radius ** 2;
  }
}
class Rectangle extends Shape {
  constructor(width, height) {
    super();
    Object.assign(this, { width, height });
  }
  area() {
    return this.width * this.height;
  }
}

function main() {
  let failures = 0;
  let length = 0;
  const accounts = Array.from({ length: 100 }, (_, i) =>
    i % 2 === 0 ? new Account(`owner ${i}`, Money.of(i)) : new SavingsAccount(`saver ${i}`, 0.01),
  );
  for (let round = 0; round < 60; round++) {
    for (const account of accounts) {
      try {
        account.deposit(Money.of(10.5)).withdraw(Money.of((round * 7) % 30));
        if (account instanceof SavingsAccount) account.addInterest();
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        failures++;
      }
    }
  }
  const shapes = Array.from({ length: 4_000 }, (_, i) => (i % 2 ? new Circle(i / 100) : new Rectangle(i, 1.5)));
  for (const shape of shapes) length += shape.describe().length;
  const total = accounts.reduce((sum, { balance }) => sum.plus(balance), Money.of(0));
  return failures + length + total.cents + `${total}`.length;
}
