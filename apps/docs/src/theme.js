// Use the theme that the reader chose in the guides.
document.documentElement.dataset.theme = localStorage.getItem("tsd-theme") ?? "os";
