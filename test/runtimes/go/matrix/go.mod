module wiretape.invalid/matrix

go 1.24
