// Additions of a page with a script: reading and searching work without it.
"use strict";

const PAUSE = 300; // the least milliseconds between two requests

// The box: the service parses the typed text and completes it.
function watchBox(form) {
  const box = form.elements.namedItem("q");
  const about = document.createElement("div");
  about.className = "reading";
  about.hidden = true;
  const note = document.createElement("p");
  note.className = "unseen";
  note.setAttribute("role", "status");
  const list = document.createElement("ul");
  list.id = `${box.id}-suggestions`;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", form.dataset.suggestions);
  const ruler = document.createElement("dl");
  ruler.className = "ruler";
  about.append(ruler, list);
  form.append(about, note);
  for (const [name, value] of Object.entries({
    role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": list.id,
  })) {
    box.setAttribute(name, value);
  }
  box.autocomplete = "off";

  let asked = "";
  let chosen = -1;
  let pause = 0;
  let question = null;

  function close() {
    about.hidden = true;
    choose(-1);
    box.setAttribute("aria-expanded", "false");
  }

  function choose(at) {
    chosen = at;
    [...list.children].forEach((option, index) => {
      option.setAttribute("aria-selected", String(index === at));
    });
    if (at < 0) {
      box.removeAttribute("aria-activedescendant");
    } else {
      box.setAttribute("aria-activedescendant", list.children[at].id);
    }
  }

  function show(answer) {
    const pieces = answer.identifier ? answer.identifier.pieces : [];
    ruler.replaceChildren(...pieces.map(drawPiece));
    ruler.hidden = !pieces.length;
    list.replaceChildren(...answer.suggestions.map((found, index) => drawOption(found, `${list.id}-${index}`)));
    list.hidden = !answer.suggestions.length;
    about.hidden = ruler.hidden && list.hidden;
    choose(-1);
    box.setAttribute("aria-expanded", String(!list.hidden));
    note.textContent = answer.note || "";
  }

  async function ask() {
    const text = box.value.trim();
    if (text === asked) {
      return;
    }
    asked = text;
    question?.abort();
    if (text.length < 2) {
      close();
      return;
    }
    question = new AbortController();
    try {
      const answer = await fetch(`${form.dataset.suggest}?q=${encodeURIComponent(text)}`, {
        headers: { Accept: "application/json", "Accept-Language": document.documentElement.lang },
        signal: question.signal,
      });
      if (answer.ok) {
        show(await answer.json());
      } else {
        close();
      }
    } catch {
      close(); // without suggestions, the box is a plain form
    }
  }

  box.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(ask, PAUSE);
  });
  box.addEventListener("keydown", (event) => {
    const last = list.children.length - 1;
    if (event.key === "Escape" && !about.hidden) {
      event.preventDefault();
      close();
    } else if (event.key === "ArrowDown" && last >= 0 && !about.hidden) {
      event.preventDefault();
      choose(chosen < last ? chosen + 1 : 0);
    } else if (event.key === "ArrowUp" && last >= 0 && !about.hidden) {
      event.preventDefault();
      choose(chosen > 0 ? chosen - 1 : last);
    } else if (event.key === "Enter" && chosen >= 0) {
      event.preventDefault();
      location.assign(list.children[chosen].dataset.href);
    }
  });
  list.addEventListener("mousedown", (event) => event.preventDefault()); // the box keeps the focus
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) {
      location.assign(option.dataset.href);
    }
  });
  form.addEventListener("focusout", (event) => {
    if (!form.contains(event.relatedTarget)) {
      close();
    }
  });
}

function drawPiece(piece) {
  const group = document.createElement("div");
  const name = document.createElement("dt");
  const text = document.createElement("dd");
  name.textContent = piece.name;
  text.textContent = piece.text;
  group.className = piece.is_identity ? "" : "host";
  group.append(name, text);
  return group;
}

function drawOption(found, id) {
  const option = document.createElement("li");
  const code = document.createElement("code");
  option.id = id;
  option.setAttribute("role", "option");
  option.dataset.href = found.href;
  code.textContent = found.identifier;
  option.append(found.title || found.identifier, " ", code);
  return option;
}

// Buttons that copy the text before them: they stay hidden if a script may not copy, as without TLS.
function showCopies(buttons) {
  const note = document.createElement("p");
  note.className = "unseen";
  note.setAttribute("role", "status");
  document.querySelector("main").append(note);
  for (const button of buttons) {
    const label = button.textContent;
    let pause = 0;
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(button.previousElementSibling.textContent.trim());
      } catch {
        return; // the reader did not allow it
      }
      note.textContent = button.textContent = button.dataset.copied;
      clearTimeout(pause);
      pause = setTimeout(() => {
        note.textContent = "";
        button.textContent = label;
      }, 2000);
    });
  }
}

// A field that hides the rows of tables without its text: it is only shown with a script.
function watchFilter(field) {
  const rows = [...document.querySelectorAll(field.dataset.rows)];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const note = document.getElementById(field.getAttribute("aria-describedby"));

  function filter() {
    const words = field.value.toLowerCase().split(/\s+/);
    rows.forEach((row, at) => {
      row.hidden = !words.every((word) => texts[at].includes(word));
    });
    note.textContent = field.value.trim() ? String(rows.filter((row) => row.getClientRects().length).length) : "";
  }

  field.closest("[hidden]").hidden = false;
  field.addEventListener("input", filter);
  document.querySelectorAll("[name=show]").forEach((choice) => choice.addEventListener("change", filter));
}

document.querySelectorAll("form[data-suggest]").forEach(watchBox);
document.querySelectorAll("input[data-rows]").forEach(watchFilter);
if (navigator.clipboard) {
  showCopies(document.querySelectorAll("button[data-copied]"));
}
